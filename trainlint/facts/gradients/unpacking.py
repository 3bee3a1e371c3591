"""Unpacking: which lists, tuples and dicts a value may be that a helper returns, perhaps in parts of what it returns.

``losses, rewards = step(batch)`` and then ``losses[1]``: what stands at that place in the tuple that ``step`` writes down.
"""

from __future__ import annotations

from collections.abc import Callable

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.gradients.bundles import bundled
from trainlint.facts.literals import item_of
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import Call, Dict, LoopPhi, Select, SequenceDisplay, Subscript, Term

#: How many calls, items and choices lie between a value and the display that it is.
_DEEPEST = 5
_DISPLAYS = (SequenceDisplay, Dict)

Enter = Callable[[FunctionValue, Call, Frame], Frame | None]
Found = list[tuple[Term, Frame]]


def displays(program: Program, index: CallGraph, enter: Enter, value: Term, frame: Frame, depth: int = 0) -> Found | None:
    """The displays, and calls that make bundles, that a value may be; None where nothing is known of it.

    ``enter`` makes the activation of a call.
    """
    if isinstance(value, _DISPLAYS):
        return [(value, frame)]
    if depth > _DEEPEST:
        return None
    if isinstance(value, Call):
        if bundled(program, value, frame):
            return [(value, frame)]
        targets = [target for target in index.targets(value, frame) if isinstance(target, FunctionValue)]
        entered = [(target, inner) for target in targets if (inner := enter(target, value, frame)) is not None]
        inside = [(result, inner) for target, inner in entered for result in program.returns(target.function)]
        known = bool(targets)
    elif isinstance(value, Subscript):
        containers = displays(program, index, enter, value.base, frame, depth + 1)
        if containers is None:
            return None
        inside = [(part, where) for container, where in containers if (part := item_of(container, value.key)) is not None]
        known = True
    elif isinstance(value, Select):
        inside, known = [(value.then, frame), (value.other, frame)], False
    elif isinstance(value, LoopPhi) and value in frame.function.ended:
        inside, known = [(frame.function.ended[value], frame)], False
    else:
        return None
    found: Found = []
    for part, where in inside:
        deeper = displays(program, index, enter, part, where, depth + 1)
        if deeper is not None:
            found += deeper
    return found if found or known else None
