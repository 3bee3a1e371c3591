"""Functions that stand in a list or dict which is written down, and are taken out by a key: ``HANDLERS[mode](args)``."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from trainlint.facts.literals import item_of, one_of_two
from trainlint.facts.values import ClassValue, Frame, Other, Value
from trainlint.ir.nodes import (
    Attr,
    Call,
    Const,
    Dict,
    Global,
    Nested,
    NestedClass,
    Ref,
    Self,
    SequenceDisplay,
    Slice,
    Term,
    Unknown,
)

if TYPE_CHECKING:
    from trainlint.facts.program import Program

#: How many functions a display may have that are looked at.
_WIDEST = 8
#: Terms that name a function or class.
_NAMES = (Global, Nested, NestedClass, Ref)


def callable_items(program: Program, base: Other, key: Term) -> tuple[Term, ...]:
    """The items of a literal container under a key that is not known, if they name functions, methods or classes."""
    container = one_of_two(base) or base.term
    if (
        isinstance(key, (Const, Slice, Unknown))
        or not isinstance(container, (SequenceDisplay, Dict))
        or type(container.items) is not tuple
    ):
        return ()
    items = container.values
    if len(items) > _WIDEST or not all(_is_name(program, item, base.frame) for item in items):
        return ()
    known = program.knowledge
    return items if any(not isinstance(i, Ref) or known.canonical(i.name) in known.collectives for i in items) else ()


def _is_name(program: Program, item: Term, frame: Frame) -> bool:
    """Whether an item names a function or class, or a method of the object whose method writes it down."""
    if not isinstance(item, Attr) or not isinstance(item.base, Self):
        return isinstance(item, _NAMES)
    cls = program.modules[frame.module].classes.get(item.base.cls or "")
    found = program.method(ClassValue(frame.module, cls), item.name) if cls is not None else None
    return found is not None and found[1].kind == "method"


def handed_out(program: Program, call: Call, frame: Frame) -> list[tuple[Term, Frame]]:
    """The functions that ``HANDLERS.get(mode, otherwise)`` may give, each with where it stands; nothing for other calls."""
    holder = held_by(program.knowledge.hands_out, call)
    if holder is None:
        return []
    key = call.args[0]
    found: list[tuple[Term, Frame]] = []
    for base in program.values(holder, frame):
        if not isinstance(base, Other) or not isinstance(base.term, Dict):
            return []
        item = item_of(base.term, key)
        items = callable_items(program, base, key) if item is None else (item,) if _is_name(program, item, base.frame) else ()
        found += [(each, base.frame) for each in items]
    if found and call.args[1:] and isinstance(call.args[1], (*_NAMES, Attr)):
        found.append((call.args[1], frame))
    return found


def held_by(hands_out: Container[str], call: Call) -> Term | None:
    """What holds the thing that ``things.get(key)`` gives, or with a second argument that stands for what is missing."""
    callee = call.callee
    if not 0 < len(call.args) <= 2 or call.kwargs:  # noqa: PLR2004
        return None
    if isinstance(callee, Attr):
        return callee.base if callee.name in hands_out else None
    if not isinstance(callee, Ref):
        return None
    whole, _, last = callee.name.rpartition(".")
    return Ref.new(whole) if whole and last in hands_out else None


def is_none(value: Value | None) -> bool:
    """Whether a name is bound to None."""
    return isinstance(value, Other) and isinstance(value.term, Const) and value.term.value is None
