"""Lists, tuples and dicts that are written down."""

from __future__ import annotations

from typing import Any

from trainlint.model.terms import Term


def position(display: Term, key: Any) -> int | None:
    """Where the item under a key stands in a list, tuple or dict that is written down; None where there is no such item."""
    items = display[1]
    if display[0] == "dict":
        return next((at for at, (name, _) in enumerate(items) if name[0] == "c" and name[2] == key), None)
    if not isinstance(key, int) or type(items) is not tuple or not -len(items) <= key < len(items):
        return None
    return key % len(items)


def at(display: Term, position: int) -> Term:
    """The item that stands at a position."""
    item = display[1][position]
    return item[1] if display[0] == "dict" else item  # type: ignore[no-any-return]


def item_of(container: Term, key: Term) -> Term | None:
    """The item of a literal container under a constant key."""
    if key[0] != "c" or container[0] not in ("tuple", "list", "dict"):
        return None
    found = position(container, key[2])
    return None if found is None else at(container, found)
