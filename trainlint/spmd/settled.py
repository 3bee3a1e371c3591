"""Whether ranks met over all of a value that has the rank in it, or only over a part of it.

``flag = box[0]``, which was broadcast, is equal; ``flag and rank == 0`` is not, though ranks met over a part of it.
"""

from __future__ import annotations

from trainlint.facts.own_data import OwnData
from trainlint.facts.values import Frame
from trainlint.model.terms import Term
from trainlint.spmd.questions import Questions

#: Operators, and the places of their operands.
_OPERANDS = {"not": (1,), "cmp": (2, 3), "bin": (2, 3), "if": (1, 2, 3)}


def settled(asking: Questions, term: Term, frame: Frame, line: int | None = None) -> bool:
    """Whether ranks met over whatever is the rank's in a value (before a line, if one is given)."""
    own = asking.program.ask(OwnData)
    if not own.equal(term, frame, line, filled=True):
        return False
    parts = _operands(term)
    if not parts or own.met_over(term, frame):
        return True
    return all(_is_equal(asking, part, frame) or settled(asking, part, frame, line) for part in parts)


def _is_equal(asking: Questions, part: Term, frame: Frame) -> bool:
    return not (asking.evaluate(part, frame)[1] and asking.differs(part, frame))


def _operands(term: Term) -> tuple[Term, ...]:
    if term[0] in ("and", "or"):
        return tuple(term[1])
    return tuple(term[index] for index in _OPERANDS.get(term[0], ()))
