"""Traces of ``with`` and ``try``: what runs around a body, and on which way out of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.catching import catcher
from trainlint.facts.lazy_init import switches_off
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Entered, Select, Term
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Try, With
from trainlint.ir.walk import walk
from trainlint.spmd.paths import ahead
from trainlint.spmd.trace import Enter, Guard, Invoke, Leave, Node, Way, Where

if TYPE_CHECKING:
    from trainlint.spmd.uniform_check import Agreement

#: The node behind an error that is raised in an activation; None where it is not known who catches it.
Catches = Callable[[Term, Frame], "Node | None"]
Tests = tuple[tuple[If, bool], ...]


class Ways(NamedTuple):
    """Where each way out of a block leads."""

    next: Node
    returns: Node
    breaks: Node
    continues: Node
    raises: Node
    yields: Callable[[Ways], Node] | None = None
    #: Where an error leads whose class is known: the handler that catches it.
    catches: Catches | None = None

    def through(self, way: Callable[[Node], Node]) -> Ways:
        """The same ways, each of which leads through something first."""
        catches = None if self.catches is None else partial(_caught_through, self.catches, way)
        return Ways(
            way(self.next), way(self.returns), way(self.breaks), way(self.continues), way(self.raises), self.yields, catches
        )

    def error(self, error: Term | None, frame: Frame) -> Node:
        """Where an error leads."""
        found = self.catches(error, frame) if self.catches is not None and error is not None else None
        return self.raises if found is None else found


Body = Callable[[Ways], Node]


class Nesting:
    """The part of :class:`trainlint.spmd.build.Builder` that knows context managers and exceptions."""

    analysis: Agreement
    program: Program
    stack: list[Function]
    muted: int
    #: What a call puts into a trace.
    call: Callable[[CallStep, Frame, Ways], Node]

    @abstractmethod
    def block(self, block: Block, frame: Frame, ways: Ways) -> Node:
        """The trace of a block."""

    @abstractmethod
    def branch(self, condition: Term, frame: Frame, then: Node, other: Node, guard: Guard) -> Node:
        """A test: the arm that this rank takes, or both when that is unknown."""

    @abstractmethod
    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""

    @abstractmethod
    def run_function(self, target: FunctionValue, inner: Frame, where: Where, ways: Ways) -> Node:
        """A call of a function that communicates."""

    def with_(self, statement: With, frame: Frame, ways: Ways) -> Node:
        attempt = self.suppressed(statement, frame)
        if attempt is not None:
            return self.try_(attempt, frame, ways)
        off = any(switches_off(self.program, item, frame) for item in statement.items)

        def body(inner: Ways) -> Node:
            self.muted += off
            try:
                return self.block(statement.body, frame, inner)
            finally:
                self.muted -= off

        run: Body = body
        for item in reversed(statement.items):
            run = self.managed(item, statement, frame, run)
        return run(ways)

    def managed(self, item: Term, statement: With, frame: Frame, body: Body) -> Body:
        """The body of a ``with`` inside one context manager of the project."""
        talks = self.analysis.communication
        if isinstance(item, Select):
            arms = [self.managed(arm, statement, frame, body) for arm in item.arms]
            if arms[0] is not body or arms[1] is not body:
                guard = Guard(frame.module, statement.spot, statement.spot, item.test, frame)
                return lambda ways: self.branch(item.test, frame, arms[0](ways), arms[1](ways), guard)
        if isinstance(item, Call):
            for value in self.program.values(item.callee, frame):
                if isinstance(value, FunctionValue) and value.function.generator and talks.runs(value.function):
                    if value.function in self.stack:
                        return body
                    return partial(self.inside_generator, value, item, statement, frame, body)
        for value in self.program.values(item, frame):
            if isinstance(value, Instance):
                return partial(self.inside_object, value, statement.spot, frame, body)
        return self.of_library(item, statement, frame, body)

    def inside_generator(
        self,
        value: FunctionValue,
        item: Call,
        statement: With,
        frame: Frame,
        body: Body,
        ways: Ways,
    ) -> Node:
        inner = self.program.enter(value, item, frame)
        where = Where(frame.module, item.site, statement.spot)
        verdict = self.analysis.verdict(value, inner)
        self.analysis.meet(verdict, None)
        if not verdict.divergences or not self.analysis.inlining:
            alone = body(ways)
            if not verdict.talks:
                return alone
            if alone.core is ways.next.core and not _leaves(statement.body) and not _raises(alone, ways.next):
                # All ranks meet in it: some before the body, some after it.
                return self.mark(Invoke, value, inner, where, alone)

        def manager(after: Node, yields: Callable[[Ways], Node]) -> Node:
            leave = self.mark(Leave, after)
            return self.block(value.function.body, inner, Ways(leave, leave, leave, leave, ways.raises, yields))

        def rest(after: Node) -> Node:
            """What the manager runs behind its ``yield``, also when the body is left by ``return`` and the like."""
            found: list[Node] = []
            manager(after, lambda way: found.append(way.next) or way.next)  # type: ignore[func-returns-value]
            return self.mark(Enter, value, where, found[-1]) if found else after

        def at_yield(way: Ways) -> Node:
            # The body runs in the caller's frame: leave the manager before it, enter it again after it.
            again = Ways(way.next, way.next, way.next, way.next, way.raises).through(partial(self.mark, Enter, value, where))
            again = again._replace(yields=ways.yields)
            if ways.returns is not ways.next:
                again = again._replace(returns=rest(ways.returns))
            if ways.breaks is not ways.next:
                again = again._replace(breaks=rest(ways.breaks), continues=rest(ways.continues))
            return self.mark(Leave, body(again))

        self.stack.append(value.function)
        try:
            return self.mark(Enter, value, where, manager(ways.next, at_yield))
        finally:
            self.stack.pop()

    def inside_object(self, value: Instance, spot: Spot, frame: Frame, body: Body, ways: Ways) -> Node:
        def run(name: str, next_: Node) -> Node:
            method = self.program.method(ClassValue(value.module, value.cls), name)
            if method is None or value.frame is None or value.call is None or not self.analysis.communication.runs(method[1]):
                return next_
            target = FunctionValue(method[0], method[1], value)
            inner = self.program.instance_frame(value, method[0], method[1])
            is_here = value.frame.module == frame.module and spot.holds(value.call.site)
            where = Where(frame.module, value.call.site, spot) if is_here else Where(frame.module, spot, spot, "With")
            return self.run_function(target, inner, where, ways._replace(next=next_))

        inside = ways.through(partial(run, "__exit__"))
        if self._may_end_errors(value):
            where = Where(frame.module, spot, spot)
            inside = inside._replace(raises=self.mark(Way, "caught", where, run("__exit__", ways.next)), catches=None)
        return run("__enter__", body(inside))

    def _may_end_errors(self, value: Instance) -> bool:
        """Whether the ``__exit__`` of an object returns anything but False."""
        method = self.program.method(ClassValue(value.module, value.cls), "__exit__")
        return method is not None and any(
            not (isinstance(term, Const) and not term.value) for term in self.program.returns(method[1])
        )

    def try_(self, statement: Try, frame: Frame, ways: Ways) -> Node:
        finished: dict[Node, Node] = {}

        def final(node: Node) -> Node:
            if not statement.final:
                return node
            if node not in finished:
                finished[node] = self.block(statement.final, frame, ways._replace(next=node))
            return finished[node]

        outside = ways.through(final)
        after = self.block(statement.orelse, frame, outside)
        inside = outside._replace(next=after)
        if statement.handlers:
            handled: dict[int, Node] = {}

            def handler(index: int) -> Node:
                if index not in handled:
                    where = Where(frame.module, statement.spot, statement.spot)
                    handled[index] = self.mark(Way, "caught", where, self.block(statement.handlers[index], frame, outside))
                return handled[index]

            def catches(error: Term, at: Frame) -> Node | None:
                index = catcher(self.program, statement, frame, error, at)
                if index is None:
                    return None
                return handler(index) if index >= 0 else outside.error(error, at)

            inside = inside._replace(raises=handler(0), catches=catches)
        return self.attempted(statement, frame, inside, outside)

    def attempted(self, statement: Try, frame: Frame, ways: Ways, outside: Ways) -> Node:  # noqa: ARG002
        """The body of a ``try``; ``outside`` are the ways out of a handler."""
        return self.block(statement.body, frame, ways)

    def of_library(self, item: Term, statement: With, frame: Frame, body: Body) -> Body:
        """The body of a ``with`` inside a context manager of Python's own."""
        for value in self.program.values(item, frame) if self._is_ours(item) else ():
            word = self.program.knowledge.managers.get(value.name) if isinstance(value, Made) else None
            if word == "unwinds":
                given = list(self._given(item, statement.body, (), frame))
                return partial(self.unwinding, given, statement, frame, body) if given else body
        return body

    def _is_ours(self, item: Term) -> bool:
        """Whether a manager may be one of these, by its name."""
        if not isinstance(item, Call):
            return False
        name = last_name(item.callee)
        return any(known.rpartition(".")[2] == name for known in self.program.knowledge.managers)

    def suppressed(self, statement: With, frame: Frame) -> Try | None:
        """A ``with suppress(error)`` as the ``try`` that it is; None for every other."""
        if len(statement.items) != 1:
            return None
        item = statement.items[0]
        if not isinstance(item, Call) or not self._is_ours(item):
            return None
        for value in self.program.values(item, frame):
            if isinstance(value, Made) and self.program.knowledge.managers.get(value.name) == "suppresses":
                return self.analysis.attempt(statement, item.args)
        return None

    def unwinding(self, given: list[tuple[CallStep, Tests]], statement: With, frame: Frame, body: Body, ways: Ways) -> Node:
        """A body behind which what it gave to a stack is run, last first."""

        def unwound(after: Node) -> Node:
            for call, tests in given:
                node = self._run_later(call, statement, frame, ways._replace(next=after))
                for test, arm in reversed(tests):
                    guard = Guard(frame.module, test.spot, test.test, test.condition, frame)
                    then, other = (node, after) if arm else (after, node)
                    node = self.branch(test.condition, frame, then, other, guard)
                after = node
            return after

        return body(ways.through(unwound))

    def _run_later(self, call: CallStep, statement: With, frame: Frame, ways: Ways) -> Node:
        """What was given to a stack: a function with its arguments, or a context manager (taken to be entered at the end)."""
        term = call.term
        assert isinstance(term.callee, Attr)  # what is given to a stack is given to a method of it
        if self.program.knowledge.applies.get(term.callee.name) == "entered":
            return self.managed(term.args[0], statement, frame, lambda inner: inner.next)(ways)
        return self.call(call._replace(term=self.analysis.applied(term, term.args[1:])), frame, ways)

    def _given(self, item: Term, block: Block, tests: Tests, frame: Frame) -> Iterator[tuple[CallStep, Tests]]:
        """What a block gives to a stack, first to last, each with the tests before it."""
        for node in block:
            if isinstance(node, If):
                yield from self._given(item, node.body, (*tests, (node, True)), frame)
                yield from self._given(item, node.orelse, (*tests, (node, False)), frame)
            elif isinstance(node, CallStep) and isinstance(node.term.callee, Attr) and node.term.args:
                base, name = node.term.callee.base, node.term.callee.name
                if isinstance(base, Entered) and base.manager is item and name in self.program.knowledge.applies:
                    yield node, tests


def _caught_through(catches: Catches, way: Callable[[Node], Node], error: Term, frame: Frame) -> Node | None:
    """The handler of an error, with what is run on the way there."""
    found = catches(error, frame)
    return None if found is None else way(found)


def _leaves(block: Block) -> bool:
    """Whether a block may be left before its end."""
    return any(isinstance(node, Exit) for node in walk(block))


def _raises(node: Node, end: Node) -> bool:
    """Whether an error is raised between a node and the end of its block, in what is called there."""
    return any(isinstance(current, Way) for current in ahead(node, stops={id(end)}))
