"""Calls into a function's own recursion: looked into while what is passed is a number that ranks do not share.

A recursion is one opaque event, equal on all ranks, as long as they are handed the same: nobody knows how deep it is, but it is
as deep everywhere. ``walk(rank)`` is not: it is run, call in call, as it would be on paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.values import Bound, Frame
from trainlint.ir.nodes import Const
from trainlint.ir.sketch import Function
from trainlint.spmd.symbols import UNKNOWN

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator
    from trainlint.spmd.uniform_check import Agreement

#: A function that runs so often in itself is opaque after all.
_DEEPEST = 6
#: Functions that are gone through to see whether one leads to itself.
_FAR = 30


class Recursion:
    """The part of :class:`trainlint.spmd.build.Builder` that goes into recursions."""

    analysis: Agreement
    evaluator: Evaluator
    stack: list[Function]

    def deepens(self, function: Function, inner: Frame) -> bool:
        """Whether a call of a function that is running, or that leads back to one, is to be looked into."""
        running = self.stack.count(function)
        if running >= _DEEPEST or not inner.arguments or not self.analysis.leads_to_itself(function):
            return False
        return self._by_rank(inner)

    def _by_rank(self, inner: Frame) -> bool:
        """Whether a call passes a number that is known, and another one on other ranks."""
        for bound in inner.arguments.values():
            if isinstance(bound, Bound) and not isinstance(bound.term, Const):
                value, asked = self.evaluator.evaluate(bound.term, bound.frame)
                if asked and not isinstance(value, UNKNOWN) and self.evaluator.differs(bound.term, bound.frame):
                    return True
        return False


def leads_to_itself(analysis: Agreement, function: Function) -> bool:
    """Whether a function that communicates can come to a call of itself."""
    pending, seen = [function], {id(function)}
    while pending and len(seen) < _FAR:
        for site in analysis.index.callers(pending.pop()):
            if site.function is function:
                return True
            if id(site.function) not in seen and site.function.kind != "module":
                seen.add(id(site.function))
                pending.append(site.function)
    return False
