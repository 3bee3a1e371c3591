"""Loops over objects of the project: what their ``__iter__`` and ``__next__`` run, where these are no generators."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from trainlint.facts.implicit_calls import iterated, method_of
from trainlint.facts.values import Frame
from trainlint.ir.sketch import Function, Loop
from trainlint.spmd.nesting import Ways
from trainlint.spmd.trace import Node

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.spmd.uniform_check import Agreement


class Iterating:
    """The part of :class:`trainlint.spmd.build.Builder` that begins loops, and their rounds."""

    analysis: Agreement
    program: Program

    stack: list[Function]

    @abstractmethod
    def body(self, function: Function, frame: Frame, ways: Ways) -> Node:
        """The body of a function, as its decorators let this rank run it."""

    def begun(self, statement: Loop, frame: Frame, ways: Ways, node: Node) -> Node:
        """A loop, and before it what its ``__iter__`` runs."""
        return self._asked("__iter__", statement, frame, ways, node)

    def turned(self, statement: Loop, frame: Frame, ways: Ways, node: Node) -> Node:
        """The body of a loop, and before it what its ``__next__`` runs."""
        return self._asked("__next__", statement, frame, ways, node)

    def _asked(self, name: str, statement: Loop, frame: Frame, ways: Ways, node: Node) -> Node:
        if not self.analysis.iterators or statement.kind != "for":
            return node
        for owner in iterated(self.program, statement.subject, frame):
            method = method_of(self.program, owner, name)
            if method is None or method.function.generator or method.function in self.stack:
                continue
            if self.analysis.communication.runs(method.function):
                inner = self.program.instance_frame(owner, method.module, method.function)
                self.stack.append(method.function)
                try:  # in place: nothing is called where the loop stands
                    return self.body(method.function, inner, Ways(node, node, node, node, ways.raises))
                finally:
                    self.stack.pop()
        return node
