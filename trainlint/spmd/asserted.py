"""Assertions: what they say of the ranks that come to them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from trainlint.facts.values import Frame
from trainlint.ir.nodes import And, Compare, Const, Term
from trainlint.ir.sketch import If
from trainlint.spmd.excluded import denies
from trainlint.spmd.ranks import Evaluator


class Asserted:
    """The part of :class:`trainlint.spmd.build.Builder` that asks what an assertion is worth."""

    evaluator: Evaluator
    #: The tests in whose arms (the first, or the second) the statement stands that is looked at.
    tests: list[tuple[If, bool, Frame]]

    @abstractmethod
    def asked(self, condition: Term, frame: Frame) -> tuple[Any, bool]:
        """The value of a condition on this rank, and whether it is another one on other ranks."""

    def holds(self, asserted: Term, frame: Frame) -> bool:
        """What is asserted holds; only of a rank that is to have a certain number is it known that it does not everywhere.

        Where most ranks pass, the assertion says which rank cannot come here (``assert rank != 0`` in a wait for rank 0). Where
        half of them do (``assert local_rank == 0``), it says how the job is to be started: with one process on each node.
        """
        if isinstance(asserted, And):
            return all(self.holds(part, frame) for part in asserted.operands)
        if isinstance(asserted, Compare) and (
            asserted.op in ("Is", "IsNot") or Const not in (type(asserted.left), type(asserted.right))
        ):
            return True
        if not self.asked(asserted, frame)[1]:
            return True
        passing = [peer.value(asserted, frame) for peer in self.evaluator.peers()]
        return sum(value is True for value in passing) * 2 >= len(passing)

    def is_denied(self, asserted: Term, frame: Frame) -> bool:
        """Whether something is asserted where a test has just said that it is not so."""
        return any(at is frame and denies(test.condition, arm, asserted) for test, arm, at in self.tests)
