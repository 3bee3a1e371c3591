"""Whether the rank, or what somebody out of sight hands in, may be in a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.values import Bound, Frame, Other
from trainlint.ir.nodes import Attr, Const, Global, LoopPhi, Nested, Param, Ref, Self, Term, Unknown
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.writes.conditions import Conditions

if TYPE_CHECKING:
    from trainlint.facts.program import Program

_MARKS = 10


class Marks(Conditions):
    """The part of the answer about sameness that is about what may be in a value."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.peers = Evaluator(program, 0, lambda _: None).peers()
        self._marked: dict[tuple[Term, Frame, int], bool] = {}
        self._handed: dict[tuple[Term, Frame, int], bool] = {}

    def marked(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a value may have the rank in it, by some name on the way to where it comes from."""
        key = (term, frame, depth)
        known = self._marked.get(key)
        if known is None:
            known = self._marked[key] = self._is_marked(term, frame, depth)
        return known

    def _is_marked(self, term: Term, frame: Frame, depth: int) -> bool:
        if depth > _MARKS or self.differs(term, frame):
            return True
        name = (
            term.name
            if isinstance(term, (Attr, Param))
            else term.name
            if isinstance(term, (Global, Ref, LoopPhi, Nested))
            else ""
        )
        if isinstance(name, str) and self.of_rank(name):
            return True
        for value in self.program.values(term, frame):
            if isinstance(value, Other) and value.term is not term and self.marked(value.term, value.frame, depth + 1):
                return True
        texts = self.program.modules[frame.module].texts.get(term, ()) if isinstance(term, Unknown) else term.subterms()
        return any(self.marked(part, frame, depth + 1) for part in texts if not isinstance(part, (Const, Self)))

    def differs(self, term: Term, frame: Frame) -> bool:
        """Whether the ranks are known to compute different values."""
        return self.peers[0].differs(term, frame)

    def handed(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a value is, or is made of, a parameter that nobody in sight passes: somebody else may pass one per rank."""
        key = (term, frame, depth)
        known = self._handed.get(key)
        if known is None:
            known = self._handed[key] = self._is_handed(term, frame, depth)
        return known

    def _is_handed(self, term: Term, frame: Frame, depth: int) -> bool:
        if depth > _MARKS:
            return True
        if isinstance(term, Param):
            holder = frame.holder(term.function)
            bound = holder.arguments.get(term.name) if holder is not None else None
            if isinstance(bound, Bound):
                return self.handed(bound.term, bound.frame, depth + 1)
            return holder is None or holder.depth == 0 or term.name not in holder.function.defaults
        if isinstance(term, Attr) and isinstance(term.base, Param):
            return False
        parts = self.program.modules[frame.module].texts.get(term, ()) if isinstance(term, Unknown) else term.subterms()
        return any(self.handed(part, frame, depth + 1) for part in parts if not isinstance(part, (Const, Ref, Global, Self)))
