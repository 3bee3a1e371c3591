"""Answers that are remembered, where a question may lead back to itself: one rule for cycles in place of limits of depth."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import inf
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Memo(Generic[Answer]):
    """Remembers what questions are answered; one that leads back to itself has the answer ``circular`` inside of itself.

    What rests on such an answer is remembered only while the question is open with which the cycle began: asked again, it is
    worked out anew, so that no answer depends on which question came first.
    """

    def __init__(self, circular: Answer) -> None:
        self._circular = circular
        self._known: dict[Hashable, Answer] = {}
        #: The questions that are being answered, with how many were open before them.
        self._open: dict[Hashable, int] = {}
        #: Answers that rest on an open question, with how many were open before that.
        self._resting: dict[Hashable, tuple[Answer, float]] = {}
        self._lowest = inf

    def ask(self, question: Hashable, work: Callable[[], Answer]) -> Answer:
        """The answer to a question, by ``work`` if it is not known."""
        if question in self._known:
            return self._known[question]
        if question in self._open:
            self._lowest = min(self._lowest, self._open[question])
            return self._circular
        if question in self._resting:
            answer, lowest = self._resting[question]
            self._lowest = min(self._lowest, lowest)
            return answer
        depth, outer, before = len(self._open), self._lowest, len(self._resting)
        self._open[question], self._lowest = depth, inf
        lowest = inf
        try:
            answer = work()
            lowest = self._lowest
        finally:
            del self._open[question]
            self._lowest = outer
            while lowest >= depth and len(self._resting) > before:
                self._resting.popitem()
        if lowest >= depth:
            self._known[question] = answer
        else:
            self._resting[question] = (answer, lowest)
            self._lowest = min(outer, lowest)
        return answer

    def forget(self) -> None:
        """Forget all answers: something that they rest on is known better now."""
        self._known.clear()
