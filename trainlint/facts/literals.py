"""Lists, tuples and dicts that are written down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainlint.facts.values import Other
from trainlint.ir.nodes import Attr, Call, Const, Dict, Ref, Select, SequenceDisplay, Term, Tuple, Unknown


def position(display: SequenceDisplay | Dict, key: Any) -> int | None:
    """Where the item under a key stands in a list, tuple or dict that is written down; None where there is no such item."""
    if isinstance(display, Dict):
        return next((at for at, (name, _) in enumerate(display.items) if isinstance(name, Const) and name.value == key), None)
    items = display.items
    if not isinstance(key, int) or type(items) is not tuple or not -len(items) <= key < len(items):
        return None
    return key % len(items)


def at(display: SequenceDisplay | Dict, position: int) -> Term:
    """The item that stands at a position."""
    return display.items[position][1] if isinstance(display, Dict) else display.items[position]


def item_of(container: Term, key: Term) -> Term | None:
    """The item of a literal container under a constant key."""
    if not isinstance(key, Const) or not isinstance(container, (SequenceDisplay, Dict)):
        return None
    found = position(container, key.value)
    return None if found is None else at(container, found)


def dict_viewed(views: Mapping[str, str], term: Term, *words: str) -> Term | None:
    """The dict of which a call hands out all values, keys or pairs (table ``views``): as one of ``words`` says, or in any way."""
    if not isinstance(term, Call) or not isinstance(term.callee, Attr) or term.args:
        return None
    word = views.get(term.callee.name)
    fits = word is not None and (not words or word in words)
    return term.callee.base if fits else None


def made_with(term: Term) -> tuple[tuple[tuple[str, int | str], Term], ...]:
    """What ``dict(base, name=value)`` puts into the dict that it makes, each with where it stands; nothing for other terms."""
    if not isinstance(term, Call) or not isinstance(term.callee, Ref) or term.callee.name != "builtins.dict":
        return ()
    given = [(("argument", index), value) for index, value in enumerate(term.args[:1])]
    return (*given, *((("keyword", name), value) for name, value in term.kwargs if name is not None))


def one_of_two(container: Other) -> Term | None:
    """What the items of a comprehension are, one thing or the other, as a tuple (``[a if test(x) else b for x in xs]``)."""
    drawn = container.frame.function.drawn.get(container.term) if isinstance(container.term, Unknown) else None
    return Tuple.new(drawn.item.arms) if drawn is not None and isinstance(drawn.item, Select) else None
