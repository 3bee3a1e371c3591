"""Methods that only one class of libraries has, of what was taken out of a model: its parameters, the items of its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.values import Bound, Frame, Library
from trainlint.model.terms import Term

if TYPE_CHECKING:
    from trainlint.facts.following import Following

#: Steps from a value back to the model it was taken out of.
_LONGEST = 8


def part_of_model(program: Following, callee: Term, frame: Frame) -> Library | None:
    """The library's method (table ``parallel.distinct``) that is called of a part of some model; None for everything else.

    ``{k: v.full_tensor() for k, v in model.state_dict().items()}``: whatever the model is, this is no plain tensor.
    """
    known = program.knowledge.parallel_distinct.get(callee[2])
    if known is None:
        return None
    term = callee[1]
    for _ in range(_LONGEST):
        if term[0] == "p":
            bound = frame.given(term)
            if not isinstance(bound, Bound):
                return None
            term, frame = bound.term, bound.frame
        elif term[0] in ("elem", "sub"):
            term = term[1]
        elif term[0] == "call" and term[1][0] == "a":
            if term[1][2] in program.knowledge.parallel_parts:
                return Library(known)
            term = term[1][1]
        else:
            return None
    return None
