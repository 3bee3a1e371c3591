"""Calls that may fail on one rank alone, in the body of a ``try`` that goes on: this rank runs the handler, its twin the rest."""

from __future__ import annotations

from typing import Any, NamedTuple

from trainlint.facts.per_rank_taint import Source
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import Call, Term, Unknown
from trainlint.ir.sketch import CallStep, Try
from trainlint.spmd.build import Builder
from trainlint.spmd.failing import Failing
from trainlint.spmd.nesting import Ways
from trainlint.spmd.paths import ahead, children
from trainlint.spmd.symbols import Data, Sym, failure, swallowed
from trainlint.spmd.trace import Again, Event, Guard, Invoke, Node, Part, Way, Where, raises


class Attempt(NamedTuple):
    """A ``try`` whose body is being built, where its handlers begin, and which of them swallows an error of a model's pass."""

    statement: Try
    frame: Frame
    handlers: tuple[Node, ...]
    swallows: int | None


class Failures(Builder):
    """A builder that lets calls fail: those that read something, and passes of a model that all ranks train."""

    failing: Failing
    attempts: list[Attempt]
    tested: dict[Guard, Source]

    def swallows(self, statement: Try, frame: Frame) -> int | None:
        """The handler that swallows an error of one rank in the pass of a model, if any."""
        raise NotImplementedError

    def is_pass(self, call: Call, frame: Frame) -> bool:
        """Whether a call is, or leads to, the pass of a model that all ranks train."""
        raise NotImplementedError

    def attempted(self, statement: Try, frame: Frame, ways: Ways, outside: Ways) -> Node:
        if not statement.caught:
            return super().attempted(statement, frame, ways, outside)
        swallows = self.swallows(statement, frame)
        if swallows is None and self.failing.failing(statement, frame) is None:
            return super().attempted(statement, frame, ways, outside)
        handlers = tuple(self.block(handler, frame, outside) for handler in statement.handlers)
        if swallows is not None and not _goes_on(handlers[swallows]):
            swallows = None
        self.attempts.append(Attempt(statement, frame, handlers, swallows))
        try:
            return super().attempted(statement, frame, ways, outside)
        finally:
            self.attempts.pop()

    def call(self, statement: CallStep, frame: Frame, ways: Ways) -> Node:
        node = super().call(statement, frame, ways)
        if not self.attempts:
            return node
        for attempt in reversed(self.attempts) if not self.goes_into(statement.term, frame) else ():
            index = self.failing.caught(statement.term, frame, attempt.statement, attempt.frame)
            if index is not None:
                return self.failed(attempt, index, failure(attempt.statement, index, attempt.frame), node)
        inner = next((a for a in reversed(self.attempts) if a.swallows is not None and a.frame is frame), None)
        if inner is not None and self.is_pass(statement.term, frame):
            assert inner.swallows is not None
            return self.failed(inner, inner.swallows, swallowed(inner.statement, inner.swallows, frame), node)
        return node

    def goes_into(self, call: Call, frame: Frame) -> bool:
        """Whether a call is one of a function that communicates: what may fail in there forks where it stands."""
        return any(
            isinstance(target, FunctionValue) and self.analysis.communication.runs(target.function)
            for target in self.failing.index.targets(call, frame)
        )

    def failed(self, attempt: Attempt, index: int, symbol: Sym, goes_on: Node) -> Node:
        """A fork: the call fails (the condition is ``symbol``) and a handler runs, or it does not."""
        handler = attempt.handlers[index]
        if handler is goes_on:
            return goes_on
        statement, frame = attempt.statement, attempt.frame
        if raises(handler):
            return self.pick(symbol, handler, goes_on)  # the job ends
        spot = statement.caught[index].spot
        guard = Guard(frame.module, statement.spot, spot, Unknown.new(*spot[:2]), frame)
        data: Data = symbol.key
        self.tested[guard] = data.source
        return self.pick(symbol, self.mark(Part, guard, True, False, handler), self.mark(Part, guard, False, False, goes_on))

    def members(self, group: Term, frame: Frame) -> tuple[int, ...] | None:  # noqa: ARG002
        """A twin stands for any other rank, whatever groups that belongs to."""
        return None

    def common(self, group: Term, frame: Frame) -> tuple[Any, ...] | None:  # noqa: ARG002
        """So it is with groups that all ranks use."""
        return None

    def run_function(self, target: FunctionValue, inner: Frame, where: Where, ways: Ways) -> Node:
        if self.attempts and target.function not in self.stack and self.failing.kinds_of(target, inner):
            return self.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
        return super().run_function(target, inner, where, ways)


def _goes_on(failed: Node) -> bool:
    """Whether a rank that met an error may communicate again: in the next round of a loop, or further on."""
    return any(isinstance(node, (Again, Event, Invoke)) for node in ahead(failed, _alive))


def _alive(node: Node) -> tuple[Node, ...]:
    """What a rank may run next, if it does not end with an error."""
    return () if isinstance(node, Way) and node.kind in ("raise", "exit") else children(node)
