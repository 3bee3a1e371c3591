"""Whether what is read is a rank's own: another file, or another sample, than what the other ranks read.

What all ranks read is there for all of them or for none, and damaged for all of them or for none: an error about it parts
nobody. So a read that fails is evidence only where the rank is in its path, by proof (:meth:`Evaluator.differs`) of some part
of it, or where the path is drawn from the rank's share of the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.values import Bound, Frame, Instance, Made, Other, Value
from trainlint.ir.nodes import Attr, Const, Element, Global, Nested, NestedClass, Param, Ref, Self, Term, Unknown
from trainlint.spmd.batch_divergence import APART, dealt
from trainlint.spmd.seeds import Seeds

if TYPE_CHECKING:
    from trainlint.facts.program import Program

#: How many steps back a path is followed, and how many parts of it are looked at.
_DEEPEST, _MOST = 12, 200
#: Kinds of terms that have no rank in them.
_PLAIN = (Const, Ref, Nested, NestedClass, Self)
#: Kinds of terms that stand for something else: what was stored, or bound at the top level. It counts if it is one thing.
_HELD = (Attr, Global)


class OwnPaths:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.differs = program.ask(Seeds).differs

    def is_own(self, term: Term, frame: Frame) -> bool:
        """Whether ranks surely have different values here, by some part of what they are computed from."""
        return self._is_own(term, frame, set(), 0)

    def _is_own(self, term: Term, frame: Frame, seen: set[tuple[Term, Frame]], depth: int) -> bool:
        key = (term, frame)
        if key in seen or isinstance(term, _PLAIN) or depth > _DEEPEST or len(seen) > _MOST:
            return False
        seen.add(key)
        if self.differs(term, frame):
            return True
        if isinstance(term, Element) and dealt(self.program, term.of, frame) == APART:
            return True
        if isinstance(term, Param):
            bound = frame.given(term)
            return isinstance(bound, Bound) and self._is_own(bound.term, bound.frame, seen, depth + 1)
        if isinstance(term, _HELD):
            values = self.program.values(term, frame)
            if len(values) == 1 and self._holds(next(iter(values)), term, seen, depth):
                return True
        parts = term.pieces if isinstance(term, Unknown) else term.subterms()
        return any(self._is_own(part, frame, seen, depth + 1) for part in parts)

    def _holds(self, value: Value, term: Term, seen: set[tuple[Term, Frame]], depth: int) -> bool:
        """Whether what a term stands for is a rank's own: what a caller passes, what an attribute holds."""
        if isinstance(value, Other):
            return value.term is not term and self._is_own(value.term, value.frame, seen, depth + 1)
        if not isinstance(value, (Made, Instance)) or value.call is None or value.frame is None:
            return False
        return value.call is not term and self._is_own(value.call, value.frame, seen, depth + 1)
