"""Calls that may fail on one rank alone, in the body of a ``try`` that goes on: this rank runs the handler, its twin the rest."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.failing import Failing
from trainlint.facts.own_data import Source
from trainlint.facts.values import Frame, FunctionValue
from trainlint.model.sketch import Call, Try
from trainlint.model.terms import Term
from trainlint.spmd.build import Builder
from trainlint.spmd.nesting import Ways
from trainlint.spmd.symbols import Data, failure
from trainlint.spmd.trace import Guard, Node, Part, Where, raises


class Attempt(NamedTuple):
    """A ``try`` whose body is being built, and where its handlers begin."""

    statement: Try
    frame: Frame
    handlers: tuple[Node, ...]


class Failures(Builder):
    """A builder that lets calls fail."""

    failing: Failing
    attempts: list[Attempt]
    tested: dict[Guard, Source]

    def attempted(self, statement: Try, frame: Frame, ways: Ways, outside: Ways) -> Node:
        if not statement.caught or self.failing.failing(statement, frame) is None:
            return super().attempted(statement, frame, ways, outside)
        handlers = tuple(self.block(handler, frame, outside) for handler in statement.handlers)
        self.attempts.append(Attempt(statement, frame, handlers))
        try:
            return super().attempted(statement, frame, ways, outside)
        finally:
            self.attempts.pop()

    def call(self, statement: Call, frame: Frame, ways: Ways) -> Node:
        node = super().call(statement, frame, ways)
        if not self.attempts:
            return node
        kinds = self.failing.kinds_in(statement.term, frame)
        for attempt in reversed(self.attempts) if kinds else ():
            index = self.failing.handler(attempt.statement, kinds, attempt.frame)
            if index is not None:
                return self.failed(attempt, index, node)
        return node

    def failed(self, attempt: Attempt, index: int, goes_on: Node) -> Node:
        """A fork: the call fails and a handler runs, or it does not."""
        handler = attempt.handlers[index]
        if handler is goes_on:
            return goes_on
        statement, frame = attempt.statement, attempt.frame
        symbol = failure(statement, index, frame)
        if raises(handler):
            return self.pick(symbol, handler, goes_on)  # the job ends
        spot = statement.caught[index].spot
        guard = Guard(frame.module, statement.spot, spot, Term(("v", *spot[:2])), frame)
        data: Data = symbol.key
        self.tested[guard] = data.source
        return self.pick(symbol, self.mark(Part, guard, True, False, handler), self.mark(Part, guard, False, False, goes_on))

    def members(self, group: Term, frame: Frame) -> tuple[int, ...] | None:  # noqa: ARG002
        """A twin stands for any other rank, whatever groups that belongs to."""
        return None

    def run_function(self, target: FunctionValue, inner: Frame, where: Where, ways: Ways) -> Node:
        if self.attempts and target.function not in self.stack and self.failing.kinds_of(target):
            return self.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
        return super().run_function(target, inner, where, ways)
