"""Context managers of Python's own that matter here: those that end errors, and those that run later what they were given."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from trainlint.facts.catching import catcher
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Made
from trainlint.model.sketch import Block, Call, Caught, If, Try, With
from trainlint.model.terms import Term
from trainlint.spmd.trace import Guard, Node, Way, Where

if TYPE_CHECKING:
    from trainlint.spmd.agreement import Agreement
    from trainlint.spmd.nesting import Body, Ways

Tests = tuple[tuple[If, bool], ...]


class Stacks:
    """The part of :class:`trainlint.spmd.build.Builder` that knows them."""

    analysis: Agreement
    program: Program
    #: What a call puts into a trace.
    call: Callable[[Call, Frame, Ways], Node]

    @abstractmethod
    def branch(self, condition: Term, frame: Frame, then: Node, other: Node, guard: Guard) -> Node:
        """A test: the arm that this rank takes, or both when that is unknown."""

    @abstractmethod
    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""

    @abstractmethod
    def managed(self, item: Term, statement: With, frame: Frame, body: Body) -> Body:
        """The body of a ``with`` inside one context manager."""

    def of_library(self, item: Term, statement: With, frame: Frame, body: Body) -> Body:
        """The body of a ``with`` inside a context manager of Python's own."""
        for value in self.program.values(item, frame):
            word = self.program.knowledge.managers.get(value.name) if isinstance(value, Made) else None
            if word == "suppresses":
                return partial(self.suppressing, item, statement, frame, body)
            if word == "unwinds":
                given = list(self._given(item, statement.body, (), frame))
                return partial(self.unwinding, given, statement, frame, body) if given else body
        return body

    def suppressing(self, item: Term, statement: With, frame: Frame, body: Body, ways: Ways) -> Node:
        """A body whose errors end here, those of certain classes."""
        where = Where(frame.module, statement.spot, statement.spot)
        caught = Caught(Term(("tuple", item[2])), statement.spot)
        attempt = Try(statement.body, ((),), (), (), statement.spot, (caught,))
        ended = self.mark(Way, "caught", where, ways.next)

        def catches(error: Term, at: Frame) -> Node | None:
            index = catcher(self.program, attempt, frame, error, at)
            if index is None:
                return None
            return ended if index >= 0 else ways.error(error, at)

        return body(ways._replace(raises=ended, catches=catches))

    def unwinding(self, given: list[tuple[Call, Tests]], statement: With, frame: Frame, body: Body, ways: Ways) -> Node:
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

    def _run_later(self, call: Call, statement: With, frame: Frame, ways: Ways) -> Node:
        """What was given to a stack: a function with its arguments, or a context manager (taken to be entered at the end)."""
        term = call.term
        if self.program.knowledge.applies.get(term[1][2]) == "entered":
            return self.managed(term[2][0], statement, frame, lambda inner: inner.next)(ways)
        return self.call(call._replace(term=self.analysis.applied(term, term[2][1:])), frame, ways)

    def _given(self, item: Term, block: Block, tests: Tests, frame: Frame) -> Iterator[tuple[Call, Tests]]:
        """What a block gives to a stack, first to last, each with the tests before it."""
        for node in block:
            if isinstance(node, If):
                yield from self._given(item, node.body, (*tests, (node, True)), frame)
                yield from self._given(item, node.orelse, (*tests, (node, False)), frame)
            elif isinstance(node, Call) and node.term[1][0] == "a" and node.term[2]:
                base, name = node.term[1][1:]
                if base[0] == "enter" and base[1] is item and name in self.program.knowledge.applies:
                    yield node, tests
