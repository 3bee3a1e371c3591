"""Where a question is asked, how deep in another one, and which parameters it is about."""

from __future__ import annotations

from math import inf

from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Term
from trainlint.ir.order import order
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.program.program import Program
from trainlint.program.values import Context

#: Questions in questions, and calls in calls, that are followed.
DEEPEST = 14
#: Stands for any parameter.
ANY = "*"


class Place:
    """Where a question is asked: an activation, and the step in it (None: its end). One for all evaluators of a program."""

    def __init__(self) -> None:
        self.frame: Context | None = None
        self.step: Spot | None = None

    def step_in(self, frame: Context) -> Spot | None:
        """The step that an activation has come to: that of the question, or the call that leads there."""
        inner = self.frame
        if inner is frame:
            return self.step
        while inner is not None:
            if inner.caller is frame and inner.call is not None:
                return inner.call.site
            inner = inner.caller
        return None


def place(_program: Program) -> Place:
    """The place of a program's questions."""
    return Place()


def number_of(function: Function, step: Spot | None) -> float:
    """The number of a step; behind all others where there is none."""
    number = order(function).at(step) if step is not None else None
    return inf if number is None else number


def answered_at(function: Function, test: Spot, condition: Term) -> float:
    """The number of the step at which a test has its answer: the calls of a ``while`` condition run in the loop's rounds."""
    numbers = order(function)
    found = [numbers.at(test), *(numbers.at(part) for part in parts_of(condition) if isinstance(part, Call))]
    return max((number for number in found if number is not None), default=inf)
