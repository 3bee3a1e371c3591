"""Lists, tuples and dicts that are written down."""

from __future__ import annotations

from trainlint.model.terms import Term


def item_of(container: Term, key: Term) -> Term | None:
    """The item of a literal container under a constant key."""
    if key[0] != "c":
        return None
    if container[0] in ("tuple", "list") and type(key[2]) is int and -len(container[1]) <= key[2] < len(container[1]):
        return container[1][key[2]]  # type: ignore[no-any-return]
    if container[0] == "dict":
        for known, value in container[1]:
            if known[0] == "c" and known[2] == key[2]:
                return value  # type: ignore[no-any-return]
    return None
