"""Where a question is asked, how deep in another one, and which parameters it is about."""

from __future__ import annotations

from math import inf

from trainlint.program.program import Program
from trainlint.program.values import Context

#: Questions in questions, and calls in calls, that are followed.
DEEPEST = 14
#: Stands for any parameter.
ANY = "*"


class Place:
    """Where a question is asked: an activation, and the line in it. One for all evaluators of a program."""

    def __init__(self) -> None:
        self.frame: Context | None = None
        self.line: float = inf

    def line_in(self, frame: Context) -> float:
        """The line that an activation has come to: that of the question, or of the call that leads there."""
        inner = self.frame
        if inner is frame:
            return self.line
        while inner is not None:
            if inner.caller is frame and inner.call is not None:
                return float(inner.call.site.line)
            inner = inner.caller
        return inf


def place(_program: Program) -> Place:
    """The place of a program's questions."""
    return Place()
