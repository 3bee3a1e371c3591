"""Traces of ``with`` and ``try``: what runs around a body, and on which way out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from trainlint.domains.lazy_init import switches_off
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Entered, Select, Term
from trainlint.ir.sketch import Block, CallStep, Exit, If, Try, With
from trainlint.ir.walk import placed, walk
from trainlint.program.call_graph import CallGraph, Managed, last_name
from trainlint.program.enclosing import catcher
from trainlint.program.values import Context, FunctionValue, Instance, LibraryObject
from trainlint.spmd.calling import run_function
from trainlint.spmd.paths import ahead
from trainlint.spmd.trace import Enter, Guard, Invoke, Leave, Node, Run, Way, Ways, Where

if TYPE_CHECKING:
    from trainlint.spmd.build import Builder

#: Tests on the way to a statement, each with the arm that it stands in.
Tests = tuple[tuple[If, bool], ...]


def trace_with(builder: Builder, statement: With, frame: Context, ways: Ways) -> Node:
    """The trace of a ``with``: of its body, inside what its context managers run."""
    attempt = _suppressed(builder, statement, frame)
    if attempt is not None:
        return trace_try(builder, attempt, frame, ways)
    off = any(switches_off(builder.program, item, frame) for item in statement.items)

    def body(inner: Ways) -> Node:
        builder.muted += off
        try:
            return builder.block(statement.body, frame, inner)
        finally:
            builder.muted -= off

    run: Run = body
    for item in reversed(statement.items):
        run = _managed(builder, item, statement, frame, run)
    return run(ways)


def _managed(builder: Builder, item: Term, statement: With, frame: Context, body: Run) -> Run:
    """The body of a ``with`` inside one context manager of the project."""
    talks = builder.analysis.communication
    if isinstance(item, Select):
        arms = [_managed(builder, arm, statement, frame, body) for arm in item.arms]
        if arms[0] is not body or arms[1] is not body:
            guard = Guard(frame.module, statement.spot, statement.spot, item.test, frame)
            return lambda ways: builder.branch(item.test, frame, arms[0](ways), arms[1](ways), guard)
    for each in builder.program.ask(CallGraph).managed(item, frame):
        if each.generator is None:
            return partial(_inside_object, builder, each, statement.spot, frame, body)
        if isinstance(item, Call) and talks.runs(each.generator.function):
            if each.generator.function in builder.stack:
                return body
            return partial(_inside_generator, builder, each.generator, item, statement, frame, body)
    return _of_library(builder, item, statement, frame, body)


def _inside_generator(
    builder: Builder,
    value: FunctionValue,
    item: Call,
    statement: With,
    frame: Context,
    body: Run,
    ways: Ways,
) -> Node:
    inner = builder.program.enter(value, item, frame)
    where = Where(frame.module, item.site, statement.spot)
    verdict = builder.analysis.verdict(value, inner)
    builder.analysis.meet(verdict, None)
    if not verdict.divergences or not builder.analysis.inlining:
        alone = body(ways)
        if not verdict.talks:
            return alone
        if alone.core is ways.next.core and not _leaves(statement.body) and not _raises(alone, ways.next):
            # All ranks meet in it: some before the body, some after it.
            return builder.mark(Invoke, value, inner, where, alone)

    def manager(after: Node, yields: Callable[[Ways], Node]) -> Node:
        leave = builder.mark(Leave, after)
        return builder.block(value.function.body, inner, Ways(leave, leave, leave, leave, ways.raises, yields))

    def rest(after: Node) -> Node:
        """What the manager runs behind its ``yield``, also when the body is left by ``return`` and the like."""
        found: list[Node] = []
        manager(after, lambda way: found.append(way.next) or way.next)  # type: ignore[func-returns-value]
        return builder.mark(Enter, value, where, found[-1]) if found else after

    def at_yield(way: Ways) -> Node:
        # The body runs in the caller's frame: leave the manager before it, enter it again after it.
        again = Ways(way.next, way.next, way.next, way.next, way.raises).through(partial(builder.mark, Enter, value, where))
        again = again._replace(yields=ways.yields)
        if ways.returns is not ways.next:
            again = again._replace(returns=rest(ways.returns))
        if ways.breaks is not ways.next:
            again = again._replace(breaks=rest(ways.breaks), continues=rest(ways.continues))
        return builder.mark(Leave, body(again))

    builder.stack.append(value.function)
    try:
        return builder.mark(Enter, value, where, manager(ways.next, at_yield))
    finally:
        builder.stack.pop()


def _inside_object(builder: Builder, managed: Managed, spot: Spot, frame: Context, body: Run, ways: Ways) -> Node:
    def run(target: FunctionValue | None, next_: Node) -> Node:
        value = None if target is None else target.receiver
        if target is None or not isinstance(value, Instance) or not builder.analysis.communication.runs(target.function):
            return next_
        if value.frame is None or value.call is None:
            return next_
        inner = builder.program.instance_frame(value, target.module, target.function)
        is_here = value.frame.module == frame.module and spot.holds(value.call.site)
        where = Where(frame.module, value.call.site, spot) if is_here else Where(frame.module, spot, spot, "With")
        return run_function(builder, target, inner, where, ways._replace(next=next_))

    inside = ways.through(partial(run, managed.leave))
    returned = () if managed.leave is None else builder.program.returns(managed.leave.function)
    if any(not (isinstance(term, Const) and not term.value) for term in returned):  # it may end an error
        where = Where(frame.module, spot, spot)
        inside = inside._replace(raises=builder.mark(Way, "caught", where, run(managed.leave, ways.next)), catches=None)
    return run(managed.enter, body(inside))


def trace_try(builder: Builder, statement: Try, frame: Context, ways: Ways) -> Node:
    """The trace of a ``try``: an error leads to its handlers, every way out through its ``finally``."""
    finished: dict[Node, Node] = {}

    def final(node: Node) -> Node:
        if not statement.final:
            return node
        if node not in finished:
            finished[node] = builder.block(statement.final, frame, ways._replace(next=node))
        return finished[node]

    outside = ways.through(final)
    after = builder.block(statement.orelse, frame, outside)
    inside = outside._replace(next=after)
    if statement.handlers:
        handled: dict[int, Node] = {}

        def handler(index: int) -> Node:
            if index not in handled:
                where = Where(frame.module, statement.spot, statement.spot)
                handled[index] = builder.mark(Way, "caught", where, builder.block(statement.handlers[index], frame, outside))
            return handled[index]

        def catches(error: Term, at: Context) -> Node | None:
            index = catcher(builder.program, statement, frame, error, at)
            if index is None:
                return None
            return handler(index) if index >= 0 else outside.error(error, at)

        inside = inside._replace(raises=handler(0), catches=catches)
    if builder.failures is not None:
        return builder.failures.attempted(builder, statement, frame, inside, outside)
    return builder.block(statement.body, frame, inside)


def _of_library(builder: Builder, item: Term, statement: With, frame: Context, body: Run) -> Run:
    """The body of a ``with`` inside a context manager of Python's own."""
    for value in builder.program.values(item, frame) if _is_ours(builder, item) else ():
        word = builder.program.knowledge.managers.get(value.name) if isinstance(value, LibraryObject) else None
        if word == "unwinds":
            given = list(_given(builder, item, statement.body))
            return partial(_unwinding, builder, given, statement, frame, body) if given else body
    return body


def _is_ours(builder: Builder, item: Term) -> bool:
    """Whether a manager may be one of these, by its name."""
    if not isinstance(item, Call):
        return False
    name = last_name(item.callee)
    return any(known.rpartition(".")[2] == name for known in builder.program.knowledge.managers)


def _suppressed(builder: Builder, statement: With, frame: Context) -> Try | None:
    """A ``with suppress(error)`` as the ``try`` that it is; None for every other."""
    if len(statement.items) != 1:
        return None
    item = statement.items[0]
    if not isinstance(item, Call) or not _is_ours(builder, item):
        return None
    for value in builder.program.values(item, frame):
        if isinstance(value, LibraryObject) and builder.program.knowledge.managers.get(value.name) == "suppresses":
            return builder.analysis.attempt(statement, item.args)
    return None


def _unwinding(
    builder: Builder, given: list[tuple[CallStep, Tests]], statement: With, frame: Context, body: Run, ways: Ways
) -> Node:
    """A body behind which what it gave to a stack is run, last first."""

    def unwound(after: Node) -> Node:
        for call, tests in given:
            node = _run_later(builder, call, statement, frame, ways._replace(next=after))
            for test, arm in reversed(tests):
                guard = Guard(frame.module, test.spot, test.test, test.condition, frame)
                then, other = (node, after) if arm else (after, node)
                node = builder.branch(test.condition, frame, then, other, guard)
            after = node
        return after

    return body(ways.through(unwound))


def _run_later(builder: Builder, call: CallStep, statement: With, frame: Context, ways: Ways) -> Node:
    """What was given to a stack: a function with its arguments, or a context manager (taken to be entered at the end)."""
    term = call.term
    assert isinstance(term.callee, Attr)  # what is given to a stack is given to a method of it
    if builder.program.knowledge.applies.get(term.callee.name) == "entered":
        return _managed(builder, term.args[0], statement, frame, lambda inner: inner.next)(ways)
    return builder.statement(call._replace(term=builder.analysis.applied(term, term.args[1:])), frame, ways)


def _given(builder: Builder, item: Term, block: Block) -> Iterator[tuple[CallStep, Tests]]:
    """What a block gives to a stack, first to last, each with the tests before it."""
    for node, around in placed(block):
        tests = tuple((arm.region, arm.number == 0) for arm in around if isinstance(arm.region, If))
        if len(tests) == len(around) and isinstance(node, CallStep) and isinstance(node.term.callee, Attr) and node.term.args:
            base, name = node.term.callee.base, node.term.callee.name
            if isinstance(base, Entered) and base.manager is item and name in builder.program.knowledge.applies:
                yield node, tests


def _leaves(block: Block) -> bool:
    """Whether a block may be left before its end."""
    return any(isinstance(node, Exit) for node in walk(block))


def _raises(node: Node, end: Node) -> bool:
    """Whether an error is raised between a node and the end of its block, in what is called there."""
    return any(isinstance(current, Way) for current in ahead(node, stops={id(end)}))
