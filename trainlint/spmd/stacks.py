"""Context managers of Python's own that matter here: those that end errors, and those that run later what they were given."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Made
from trainlint.ir.nodes import Attr, Call, Entered, Term
from trainlint.ir.sketch import Block, CallStep, If, Try, With
from trainlint.spmd.trace import Guard, Node

if TYPE_CHECKING:
    from trainlint.spmd.nesting import Body, Ways
    from trainlint.spmd.uniform_check import Agreement

Tests = tuple[tuple[If, bool], ...]


class Stacks:
    """The part of :class:`trainlint.spmd.build.Builder` that knows them."""

    analysis: Agreement
    program: Program
    #: What a call puts into a trace.
    call: Callable[[CallStep, Frame, Ways], Node]

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
