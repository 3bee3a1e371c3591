"""Rows: which of the things that a loop goes over the values are from that it binds.

``for number, row in zip(numbers, rows)`` binds an item of ``numbers`` and one of ``rows``; ``enumerate`` counts beside
what it hands on. What these functions do is in the table ``iterates``.
"""

from __future__ import annotations

from trainlint.facts.displays import dict_viewed
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library
from trainlint.model.terms import Term


def source_of(program: Program, term: Term, frame: Frame) -> Term | None:
    """What a value is an item of that a loop binds; None for other values, counts, and what is in a dict."""
    key = term[2] if term[0] == "sub" else None
    bound = term[1] if key is not None else term
    if bound[0] != "elem":
        return None
    source: Term = bound[1]
    if source[0] != "call":
        return None if key is not None else source
    callee, arguments = source[1], source[2]
    if callee[0] == "a" and callee[2] in program.knowledge.views:
        return None
    shapes = [program.knowledge.iterates.get(v.name) for v in program.values(callee, frame) if isinstance(v, Library)]
    shape = next((shape for shape in shapes if shape is not None), None)
    if shape is None:
        return source if key is None and callee[0] != "r" else None
    position = key[2] if key is not None and key[0] == "c" and type(key[2]) is int else None
    if shape == "zipped" and position is not None and 0 <= position < len(arguments):
        return arguments[position]  # type: ignore[no-any-return]
    if shape == "indexed" and position == 1 and arguments:
        return arguments[0]  # type: ignore[no-any-return]
    return arguments[0] if shape == "same" and key is None and arguments else None


def swept(program: Program, term: Term) -> Term | None:
    """The dict all of whose values a loop hands out as this one; None for other values.

    ``loss`` of ``for name, loss in losses.items()``, ``losses[name]`` of ``for name in losses``.
    """
    if term[0] == "elem":
        return dict_viewed(program.knowledge.views, term[1], "value")
    if term[0] != "sub":
        return None
    base, key, views = term[1], term[2], program.knowledge.views
    if base[0] == "elem" and _is(key, 1):
        return dict_viewed(views, base[1], "pair")
    named = key[0] == "elem" and (key[1] is base or dict_viewed(views, key[1], "key") is base)
    paired = key[0] == "sub" and key[1][0] == "elem" and _is(key[2], 0) and dict_viewed(views, key[1][1], "pair") is base
    return base if named or paired else None


def drawn_names(program: Program, key: Term) -> tuple[Term, ...]:
    """The constants that a key is, one after the other: those of a list, or of a dict's keys, that a loop goes over."""
    if key[0] == "sub" and _is(key[2], 0):
        subject = dict_viewed(program.knowledge.views, key[1][1], "pair") if key[1][0] == "elem" else None
    else:
        subject = (dict_viewed(program.knowledge.views, key[1], "key") or key[1]) if key[0] == "elem" else None
    if subject is None or subject[0] not in ("list", "tuple", "set", "dict"):
        return ()
    names = [part[0] for part in subject[1]] if subject[0] == "dict" else subject[1]
    return tuple([name for name in names if name[0] == "c"])


def _is(key: Term, position: int) -> bool:
    return bool(key[0] == "c" and key[2] == position)


def loop_value(term: Term) -> Term:
    """What the loop binds of which a swept value is made: the pair, the key or the value."""
    while term[0] == "sub":
        term = term[1] if term[1][0] == "elem" else term[2]
    return term
