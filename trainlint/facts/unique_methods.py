"""Methods that only one class of libraries has, of what was taken out of a model: its parameters, the items of its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.values import Bound, Frame, Library
from trainlint.ir.nodes import Attr, Call, Element, Param, Subscript

if TYPE_CHECKING:
    from trainlint.facts.program import Program

#: Steps from a value back to the model it was taken out of.
_LONGEST = 8


def part_of_model(program: Program, callee: Attr, frame: Frame) -> Library | None:
    """The library's method (table ``parallel.distinct``) that is called of a part of some model; None for everything else.

    ``{k: v.full_tensor() for k, v in model.state_dict().items()}``: whatever the model is, this is no plain tensor.
    """
    known = program.knowledge.parallel_distinct.get(callee.name)
    if known is None:
        return None
    term = callee.base
    for _ in range(_LONGEST):
        if isinstance(term, Param):
            bound = frame.given(term)
            if not isinstance(bound, Bound):
                return None
            term, frame = bound.term, bound.frame
        elif isinstance(term, (Element, Subscript)):
            term = term.stem
        elif isinstance(term, Call) and isinstance(term.callee, Attr):
            if term.callee.name in program.knowledge.parallel_parts:
                return Library(known)
            term = term.callee.base
        else:
            return None
    return None
