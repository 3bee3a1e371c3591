"""Whether ranks met over all of a value that has the rank in it, or only over a part of it.

``flag = box[0]``, which was broadcast, is equal; ``flag and rank == 0`` is not, though ranks met over a part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.domains.rank_local_data import RankLocalData
from trainlint.ir.nodes import And, BinOp, Compare, Not, Or, Select, Term
from trainlint.program.values import Context

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

_OPERATIONS = (Not, Compare, BinOp, Select)


def settled(asking: Evaluator, term: Term, frame: Context, number: float | None = None) -> bool:
    """Whether ranks met over whatever is the rank's in a value (up to the step of a number, if one is given)."""
    own = asking.program.ask(RankLocalData)
    if not own.equal(term, frame, number, filled=True):
        return False
    parts = _operands(term)
    if not parts or own.met_over(term, frame):
        return True
    return all(_is_equal(asking, part, frame) or settled(asking, part, frame, number) for part in parts)


def _is_equal(asking: Evaluator, part: Term, frame: Context) -> bool:
    return not (asking.evaluate(part, frame)[1] and asking.differs(part, frame))


def _operands(term: Term) -> tuple[Term, ...]:
    if isinstance(term, (And, Or)):
        return tuple(term.operands)
    return tuple(term.subterms()) if isinstance(term, _OPERATIONS) else ()
