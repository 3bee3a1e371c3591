"""Calls that may fail on one rank alone, in the body of a ``try`` that goes on: this rank runs the handler, its twin the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import Call, Unknown
from trainlint.ir.sketch import CallStep, Try
from trainlint.spmd.paths import ahead, children
from trainlint.spmd.symbols import Data, Sym, failure, swallowed
from trainlint.spmd.trace import Again, Event, Guard, Invoke, Node, Part, Way, raises
from trainlint.spmd.ways import Ways

if TYPE_CHECKING:
    from trainlint.spmd.build import Builder
    from trainlint.spmd.data_divergence import Twins


class Attempt(NamedTuple):
    """A ``try`` whose body is being built, where its handlers begin, and which of them swallows an error of a model's pass."""

    statement: Try
    frame: Frame
    handlers: tuple[Node, ...]
    swallows: int | None


class Failures:
    """Lets calls fail in the trace of a twin: those that read something, and passes of a model that all ranks train."""

    def __init__(self, analysis: Twins) -> None:
        self.analysis = analysis
        self.failing = analysis.failing
        #: The ``try`` blocks around the place that is looked at in which a call may fail.
        self.attempts: list[Attempt] = []

    def attempted(self, builder: Builder, statement: Try, frame: Frame, ways: Ways, outside: Ways) -> Node:
        """The body of a ``try``; ``outside`` are the ways out of a handler."""
        swallows = self._swallows(statement, frame) if statement.caught else None
        if not statement.caught or (swallows is None and self.failing.failing(statement, frame) is None):
            return builder.block(statement.body, frame, ways)
        handlers = tuple(builder.block(handler, frame, outside) for handler in statement.handlers)
        if swallows is not None and not _goes_on(handlers[swallows]):
            swallows = None
        self.attempts.append(Attempt(statement, frame, handlers, swallows))
        try:
            return builder.block(statement.body, frame, ways)
        finally:
            self.attempts.pop()

    def forked(self, builder: Builder, statement: CallStep, frame: Frame, goes_on: Node) -> Node:
        """What a call puts into a trace, ``goes_on`` if nothing fails: with the way to a handler around it, where it may fail."""
        if not self.attempts:
            return goes_on
        for attempt in reversed(self.attempts) if not self._is_entered(statement.term, frame) else ():
            index = self.failing.caught(statement.term, frame, attempt.statement, attempt.frame)
            if index is not None:
                return self._failed(builder, attempt, index, failure(attempt.statement, index, attempt.frame), goes_on)
        inner = next((a for a in reversed(self.attempts) if a.swallows is not None and a.frame is frame), None)
        if inner is not None and self._is_pass(statement.term, frame):
            assert inner.swallows is not None
            return self._failed(builder, inner, inner.swallows, swallowed(inner.statement, inner.swallows, frame), goes_on)
        return goes_on

    def occur_in(self, target: FunctionValue, inner: Frame) -> bool:
        """Whether something may fail in a call of a function, and somebody around catches it."""
        return bool(self.attempts) and bool(self.failing.kinds_of(target, inner))

    def _swallows(self, statement: Try, frame: Frame) -> int | None:
        """The handler of a ``try`` that swallows what may happen to one rank alone in the pass of a model, if any."""
        if not self.analysis.asks_data(frame.function) or not self.analysis.passes(statement, frame):
            return None
        caught = enumerate(statement.caught)
        index = next((index for index, each in caught if self.analysis.own.fails_alone(each.kinds, frame)), None)
        if index is None or self.failing.tells(statement.handlers[index], frame.function):
            return None
        return index

    def _is_pass(self, call: Call, frame: Frame) -> bool:
        """Whether a call is, or leads to, the pass of a model that all ranks train."""
        return self.analysis.may_talk(call) and self.analysis.is_pass(call, frame)

    def _is_entered(self, call: Call, frame: Frame) -> bool:
        """Whether a call is one of a function that communicates: what may fail in there forks where it stands."""
        return any(
            isinstance(target, FunctionValue) and self.analysis.communication.runs(target.function)
            for target in self.failing.index.targets(call, frame)
        )

    def _failed(self, builder: Builder, attempt: Attempt, index: int, symbol: Sym, goes_on: Node) -> Node:
        """A fork: the call fails (the condition is ``symbol``) and a handler runs, or it does not."""
        handler = attempt.handlers[index]
        if handler is goes_on:
            return goes_on
        statement, frame = attempt.statement, attempt.frame
        if raises(handler):
            return builder.pick(symbol, handler, goes_on)  # the job ends
        spot = statement.caught[index].spot
        guard = Guard(frame.module, statement.spot, spot, Unknown.new(*spot[:2]), frame)
        data: Data = symbol.key
        self.analysis.tested[guard] = data.source
        failed, passed = builder.mark(Part, guard, True, False, handler), builder.mark(Part, guard, False, False, goes_on)
        return builder.pick(symbol, failed, passed)


def _goes_on(failed: Node) -> bool:
    """Whether a rank that met an error may communicate again: in the next round of a loop, or further on."""
    return any(isinstance(node, (Again, Event, Invoke)) for node in ahead(failed, _alive))


def _alive(node: Node) -> tuple[Node, ...]:
    """What a rank may run next, if it does not end with an error."""
    return () if isinstance(node, Way) and node.kind in ("raise", "exit") else children(node)
