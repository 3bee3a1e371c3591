"""Parts of containers: items of what helpers return, elements that loops bind.

Unpacking: which lists, tuples and dicts a value may be that a helper returns, perhaps in parts of what it returns.

``losses, rewards = step(batch)`` and then ``losses[1]``: what stands at that place in the tuple that ``step``
writes down.

Rows: which of the things that a loop goes over the values are from that it binds.

``for number, row in zip(numbers, rows)`` binds an item of ``numbers`` and one of ``rows``; ``enumerate`` counts
beside what it hands on. What these functions do is in the table ``iterates``.
"""

from __future__ import annotations

from collections.abc import Callable

from trainlint.ir.bindings import held_behind
from trainlint.ir.nodes import (
    Attr,
    Call,
    Const,
    Dict,
    Display,
    Element,
    LoopPhi,
    Ref,
    Select,
    SequenceDisplay,
    Star,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.terms import parts_of, whole_number
from trainlint.program.call_graph import CallGraph
from trainlint.program.heap import bundled, dict_viewed, item_of
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, FunctionValue, Library, Unresolved

_DISPLAYS = (SequenceDisplay, Dict)

#: Up to how many turns of a loop are looked at one after the other.
_FEW = 8
Enter = Callable[[FunctionValue, Call, Context], Context | None]
Found = list[tuple[Term, Context]]


def displays(
    program: Program, index: CallGraph, enter: Enter, value: Term, frame: Context, seen: frozenset[Argument] = frozenset()
) -> Found | None:
    """The displays, and calls that make bundles, that a value may be; None where nothing is known of it.

    ``enter`` makes the activation of a call.
    """
    if isinstance(value, _DISPLAYS):
        return [(value, frame)]
    here = Argument(value, frame)
    if here in seen:
        return None
    seen |= {here}
    if isinstance(value, Call):
        if bundled(program, value, frame):
            return [(value, frame)]
        targets = [target for target in index.targets(value, frame) if isinstance(target, FunctionValue)]
        entered = [(target, inner) for target in targets if (inner := enter(target, value, frame)) is not None]
        inside = [(result, inner) for target, inner in entered for result in program.returns(target.function, inner)]
        known = bool(targets)
    elif isinstance(value, Subscript):
        containers = displays(program, index, enter, value.base, frame, seen)
        if containers is None:
            return None
        inside = [(part, where) for container, where in containers if (part := item_of(container, value.key)) is not None]
        known = True
    elif isinstance(value, Select):
        inside, known = [(value.then, frame), (value.other, frame)], False
    elif isinstance(value, LoopPhi) and (behind := held_behind(frame.function, value)) is not None:
        inside, known = [(behind, frame)], False
    else:
        return None
    found: Found = []
    for part, where in inside:
        deeper = displays(program, index, enter, part, where, seen)
        if deeper is not None:
            found += deeper
    return found if found or known else None


def source_of(program: Program, term: Term, frame: Context) -> Term | None:
    """What a value is an item of that a loop binds; None for other values, counts, and what is in a dict."""
    key = term.key if isinstance(term, Subscript) else None
    bound = term.base if isinstance(term, Subscript) else term
    if not isinstance(bound, Element):
        return None
    source: Term = bound.of
    if not isinstance(source, Call):
        return None if key is not None else source
    callee, arguments = source.callee, source.args
    if isinstance(callee, Attr) and callee.name in program.knowledge.views:
        return None
    shapes = [program.knowledge.iterates.get(v.name) for v in program.values(callee, frame) if isinstance(v, Library)]
    shape = next((shape for shape in shapes if shape is not None), None)
    if shape is None:
        return source if key is None and not isinstance(callee, Ref) else None
    position = whole_number(key)
    if shape == "zipped" and position is not None and 0 <= position < len(arguments):
        return arguments[position]
    if shape == "indexed" and position == 1 and arguments:
        return arguments[0]
    return arguments[0] if shape == "same" and key is None and arguments else None


def swept(program: Program, term: Term) -> Term | None:
    """The dict all of whose values a loop hands out as this one; None for other values.

    ``loss`` of ``for name, loss in losses.items()``, ``losses[name]`` of ``for name in losses``.
    """
    if isinstance(term, Element):
        return dict_viewed(program.knowledge.views, term.of, "value")
    if not isinstance(term, Subscript):
        return None
    base, key, views = term.base, term.key, program.knowledge.views
    if isinstance(base, Element) and _is(key, 1):
        return dict_viewed(views, base.of, "pair")
    named = isinstance(key, Element) and (key.of is base or dict_viewed(views, key.of, "key") is base)
    paired = (
        isinstance(key, Subscript)
        and isinstance(key.base, Element)
        and _is(key.key, 0)
        and dict_viewed(views, key.base.of, "pair") is base
    )
    return base if named or paired else None


def drawn_names(program: Program, key: Term) -> tuple[Term, ...]:
    """The constants that a key is, one after the other: those of a list, or of a dict's keys, that a loop goes over."""
    if isinstance(key, Subscript) and _is(key.key, 0):
        subject = dict_viewed(program.knowledge.views, key.base.of, "pair") if isinstance(key.base, Element) else None
    else:
        subject = (dict_viewed(program.knowledge.views, key.of, "key") or key.of) if isinstance(key, Element) else None
    if subject is None or not isinstance(subject, Display):
        return ()
    names = [key for key, _ in subject.items] if isinstance(subject, Dict) else subject.values
    return tuple([name for name in names if isinstance(name, Const)])


def turns(program: Program, term: Term, frame: Context) -> list[Context]:
    """An activation in each turn of the loop that binds a part of a term, where all that the loop goes over is written down."""
    element = next((part for part in parts_of(term) if isinstance(part, Element)), None)
    if element is None or element in (frame.drawn or ()):
        return []
    subject, view = element.of, None
    if isinstance(subject, Call) and isinstance(subject.callee, Attr) and not subject.args:
        view = program.knowledge.views.get(subject.callee.name)
        subject = subject.callee.base if view is not None else subject
    values = program.values(subject, frame)
    held = values[0] if len(values) == 1 else None
    if not isinstance(held, Unresolved) or not isinstance(held.term, _DISPLAYS) or type(held.term.items) is not tuple:
        return []
    items: list[Term]
    if isinstance(held.term, Dict):
        pairs, make = held.term.items, program.terms.make
        items = [make(Tuple, pair) if view == "pair" else pair[0] if view in (None, "key") else pair[1] for pair in pairs]
        known = all(isinstance(key, Const) for key, _ in pairs)
    else:
        items, known = list(held.term.items), view is None and not any(isinstance(item, Star) for item in held.term.items)
    return [frame.turn({element: Argument(item, held.frame)}) for item in items] if known else []


def turns_in_order(program: Program, element: Term, frame: Context) -> list[Context]:
    """The turns of a loop over several things, one after the other, where nothing else is put among these."""
    found = turns(program, element, frame) if isinstance(element, Element) else []
    if not 1 < len(found) <= _FEW:
        return []
    items = {value for turn in found for value in program.values(element, turn)}
    return found if items.issuperset(program.values(element, frame)) else []


def _is(key: Term, position: int) -> bool:
    return bool(isinstance(key, Const) and key.value == position)


def loop_value(term: Term) -> Term:
    """What the loop binds of which a swept value is made: the pair, the key or the value."""
    while isinstance(term, Subscript):
        term = term.base if isinstance(term.base, Element) else term.key
    return term
