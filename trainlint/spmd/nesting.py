"""Traces of ``with`` and ``try``: what runs around a body, and on which way out of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.facts.once import switches_off
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance
from trainlint.finding import Spot
from trainlint.model.sketch import Block, Function, Try, With
from trainlint.model.terms import Term
from trainlint.spmd.trace import Enter, Invoke, Leave, Node, Where

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.spmd.agreement import Agreement


class Ways(NamedTuple):
    """Where each way out of a block leads."""

    next: Node
    returns: Node
    breaks: Node
    continues: Node
    raises: Node
    yields: Callable[[Node], Node] | None = None


class Nesting:
    """The part of :class:`trainlint.spmd.build.Builder` that knows context managers and exceptions."""

    analysis: Agreement
    program: Program
    stack: list[Function]
    muted: int

    @abstractmethod
    def block(self, block: Block, frame: Frame, ways: Ways) -> Node:
        """The trace of a block."""

    @abstractmethod
    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""

    @abstractmethod
    def run_function(self, target: FunctionValue, inner: Frame, where: Where, ways: Ways) -> Node:
        """A call of a function that communicates."""

    def with_(self, statement: With, frame: Frame, ways: Ways) -> Node:
        off = any(switches_off(self.program, item, frame) for item in statement.items)

        def body(next_: Node) -> Node:
            self.muted += off
            try:
                return self.block(statement.body, frame, ways._replace(next=next_))
            finally:
                self.muted -= off

        run: Callable[[Node], Node] = body
        for item in reversed(statement.items):
            run = self.managed(item, statement.spot, frame, ways, run)
        return run(ways.next)

    def managed(self, item: Term, spot: Spot, frame: Frame, ways: Ways, body: Callable[[Node], Node]) -> Callable[[Node], Node]:
        """The body of a ``with`` inside one context manager of the project."""
        talks = self.analysis.communication
        for value in self.program.values(item[1], frame) if item[0] == "call" else ():
            if isinstance(value, FunctionValue) and value.function.generator and talks.runs(value.function):
                if value.function in self.stack:
                    return body
                return partial(self.inside_generator, value, item, spot, frame, ways, body)
        for value in self.program.values(item, frame):
            if isinstance(value, Instance):
                return partial(self.inside_object, value, spot, frame, ways, body)
        return body

    def inside_generator(
        self,
        value: FunctionValue,
        item: Term,
        spot: Spot,
        frame: Frame,
        ways: Ways,
        body: Callable[[Node], Node],
        next_: Node,
    ) -> Node:
        inner = self.program.enter(value, item, frame)
        where = Where(frame.module, item[4], spot)
        verdict = self.analysis.verdict(value, inner)
        self.analysis.met.update((divergence.key, divergence) for divergence in verdict.divergences)
        if not verdict.divergences or not self.analysis.inlining:
            # All ranks meet in it: some before the body, some after it.
            return self.mark(Invoke, value, inner, where, body(next_)) if verdict.talks else body(next_)
        leave = self.mark(Leave, next_)

        def at_yield(after: Node) -> Node:
            # The body runs in the caller's frame: leave the manager before it, enter it again after it.
            return self.mark(Leave, body(self.mark(Enter, value, where, after)))

        self.stack.append(value.function)
        try:
            inner_ways = Ways(leave, leave, leave, leave, ways.raises, at_yield)
            return self.mark(Enter, value, where, self.block(value.function.body, inner, inner_ways))
        finally:
            self.stack.pop()

    def inside_object(
        self, value: Instance, spot: Spot, frame: Frame, ways: Ways, body: Callable[[Node], Node], next_: Node
    ) -> Node:
        cls = ClassValue(value.module, value.cls)
        call = value.call
        for name in ("__exit__", "__enter__"):
            if name == "__enter__":
                next_ = body(next_)
            method = self.program.method(cls, name)
            if method is not None and call is not None and self.analysis.communication.runs(method[1]):
                target = FunctionValue(method[0], method[1], value)
                inner = self.program.instance_frame(value, method[0], method[1])
                next_ = self.run_function(target, inner, Where(frame.module, call[4], spot), ways._replace(next=next_))
        return next_

    def try_(self, statement: Try, frame: Frame, ways: Ways) -> Node:
        finished: dict[Node, Node] = {}

        def final(node: Node) -> Node:
            if not statement.final:
                return node
            if node not in finished:
                finished[node] = self.block(statement.final, frame, ways._replace(next=node))
            return finished[node]

        outside = Ways(
            final(ways.next), final(ways.returns), final(ways.breaks), final(ways.continues), final(ways.raises), ways.yields
        )
        caught = self.block(statement.handlers[0], frame, outside) if statement.handlers else outside.raises
        after = self.block(statement.orelse, frame, outside)
        return self.block(statement.body, frame, outside._replace(next=after, raises=caught))
