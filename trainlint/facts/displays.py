"""Lists, tuples and dicts that are written down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainlint.facts.values import Other
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


def dict_viewed(views: Mapping[str, str], term: Term, *words: str) -> Term | None:
    """The dict of which a call hands out all values, keys or pairs (table ``views``): as one of ``words`` says, or in any way."""
    if term[0] != "call" or term[1][0] != "a" or term[2]:
        return None
    word = views.get(term[1][2])
    fits = word is not None and (not words or word in words)
    return term[1][1] if fits else None


def made_with(term: Term) -> tuple[tuple[tuple[str, int | str], Term], ...]:
    """What ``dict(base, name=value)`` puts into the dict that it makes, each with where it stands; nothing for other terms."""
    if term[0] != "call" or term[1][0] != "r" or term[1][1] != "builtins.dict":
        return ()
    given = [(("argument", index), value) for index, value in enumerate(term[2][:1])]
    return (*given, *((("keyword", name), value) for name, value in term[3] if name is not None))


def one_of_two(container: Other) -> Term | None:
    """What the items of a comprehension are, one thing or the other, as a tuple (``[a if test(x) else b for x in xs]``)."""
    drawn = container.frame.function.drawn.get(container.term) if container.term[0] == "v" else None
    return Term(("tuple", drawn.item[2:4])) if drawn is not None and drawn.item[0] == "if" else None
