"""Functions that stand in a list or dict which is written down, and are taken out by a key: ``HANDLERS[mode](args)``."""

from __future__ import annotations

from collections.abc import Container
from typing import Protocol

from trainlint.facts.contained import Follows
from trainlint.facts.displays import item_of, one_of_two
from trainlint.facts.values import ClassValue, Frame, Other, Value
from trainlint.model.sketch import Function
from trainlint.model.terms import Term

#: How many functions a display may have that are looked at.
_WIDEST = 8
#: Tags of terms that name a function or class.
_NAMES = ("g", "fn", "cls", "r")


class Methods(Follows, Protocol):
    """What is asked here of the program besides."""

    def method(self, value: ClassValue, name: str) -> tuple[str, Function] | None:
        """A method, own or inherited."""
        ...


def callable_items(program: Methods, base: Other, key: Term) -> tuple[Term, ...]:
    """The items of a literal container under a key that is not known, if they name functions, methods or classes."""
    container = one_of_two(base) or base.term
    if key[0] in ("c", "slice", "v") or container[0] not in ("list", "tuple", "dict") or type(container[1]) is not tuple:
        return ()
    items = tuple(item[1] if container[0] == "dict" else item for item in container[1])
    if len(items) > _WIDEST or not all(_is_name(program, item, base.frame) for item in items):
        return ()
    known = program.knowledge
    return items if any(i[0] != "r" or known.canonical(i[1]) in known.collectives for i in items) else ()


def _is_name(program: Methods, item: Term, frame: Frame) -> bool:
    """Whether an item names a function or class, or a method of the object whose method writes it down."""
    if item[0] != "a" or item[1][0] != "self":
        return item[0] in _NAMES
    cls = program.modules[frame.module].classes.get(item[1][1] or "")
    found = program.method(ClassValue(frame.module, cls), str(item[2])) if cls is not None else None
    return found is not None and found[1].kind == "method"


def handed_out(program: Methods, call: Term, frame: Frame) -> list[tuple[Term, Frame]]:
    """The functions that ``HANDLERS.get(mode, otherwise)`` may give, each with where it stands; nothing for other calls."""
    holder = held_by(program.knowledge.hands_out, call)
    if holder is None:
        return []
    key = call[2][0]
    found: list[tuple[Term, Frame]] = []
    for base in program.values(holder, frame):
        if not isinstance(base, Other) or base.term[0] != "dict":
            return []
        item = item_of(base.term, key)
        items = callable_items(program, base, key) if item is None else (item,) if _is_name(program, item, base.frame) else ()
        found += [(each, base.frame) for each in items]
    if found and call[2][1:] and call[2][1][0] in (*_NAMES, "a"):
        found.append((call[2][1], frame))
    return found


def held_by(hands_out: Container[str], call: Term) -> Term | None:
    """What holds the thing that ``things.get(key)`` gives, or with a second argument that stands for what is missing."""
    callee = call[1]
    if not 0 < len(call[2]) <= 2 or call[3]:  # noqa: PLR2004
        return None
    if callee[0] == "a":
        return callee[1] if callee[2] in hands_out else None
    if callee[0] != "r":
        return None
    whole, _, last = callee[1].rpartition(".")
    return Term(("r", whole)) if whole and last in hands_out else None


def is_none(value: Value | None) -> bool:
    """Whether a name is bound to None."""
    return isinstance(value, Other) and value.term[0] == "c" and value.term[2] is None
