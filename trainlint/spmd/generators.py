"""Loops over generators of the project: what the generator runs between two of its items runs in the loop.

The loop's body runs where the generator yields, in each round anew. A loop that is left early closes the generator: what its
``finally`` blocks (and context managers) run behind the ``yield`` runs then, and nothing else of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from trainlint.ir.nodes import Attr, Call, Select, Term
from trainlint.ir.order import written_in
from trainlint.ir.sketch import Loop, Try, With, Yield
from trainlint.ir.walk import effects, of_kind
from trainlint.program.call_graph import ITER, iterated, method_of
from trainlint.program.values import Context, FunctionValue, Instance, Library
from trainlint.spmd.trace import Enter, Invoke, Leave, Node, Ways, Where

if TYPE_CHECKING:
    from trainlint.spmd.build import Builder

#: Calls that only hand the items of a generator on, one around the other; generators in generators.
_WRAPPED, _DEEPEST = 3, 6
_HANDED_ON = ("same", "indexed", "zipped")


def _generator(builder: Builder, term: Term, frame: Context) -> tuple[FunctionValue, Term, Context] | None:
    """The generator of the project that a term draws from, if that communicates; the call, and where it is made."""
    if isinstance(term, Select):  # an arm of which nothing is known speaks for none of the others
        return next((found for arm in term.arms if (found := _generator(builder, arm, frame)) is not None), None)
    communication = builder.analysis.communication
    shapes = builder.program.knowledge.iterates
    for _ in range(_WRAPPED):
        if not isinstance(term, Call):
            break
        if isinstance(term.callee, Attr) and term.callee.name == ITER and not term.args:
            term = term.callee.base
            continue
        wrapped = False
        for value in builder.program.values(term.callee, frame):
            if isinstance(value, FunctionValue) and value.function.generator:
                if not communication.runs(value.function) and not builder.analysis.draws_apart(value):
                    return None
                busy = value.function in builder.stack or len(builder.stack) > _DEEPEST
                return None if busy else (value, term, frame)
            if isinstance(value, Library) and value.name in builder.program.knowledge.drains:
                return None  # all was drawn where that was called
            wrapped = isinstance(value, Library) and shapes.get(value.name) in _HANDED_ON and bool(term.args)
        if not wrapped:
            break
        calls = [given for given in term.args if isinstance(given, Call)]
        term = next((given for given in calls if _makes_generator(builder, given, frame)), term.args[0])
    return _iterated(builder, term, frame)


def _makes_generator(builder: Builder, call: Call, frame: Context) -> bool:
    values = builder.program.values(call.callee, frame)
    return any(isinstance(value, FunctionValue) and value.function.generator for value in values)


def _iterated(builder: Builder, term: Term, frame: Context) -> tuple[FunctionValue, Term, Context] | None:
    """The ``__iter__`` of an object of the project, if that is such a generator; of a loader, its sampler's."""
    for owner in iterated(builder.program, term, frame) if builder.analysis.iterators else ():
        method = method_of(builder.program, owner, ITER)
        if method is not None and method.function.generator and builder.analysis.communication.runs(method.function):
            return None if method.function in builder.stack else (method, owner.call or term, frame)
    return None


def loop_over_generator(
    builder: Builder, statement: Loop, frame: Context, ways: Ways, exhausted: Node, repeated: Callable[[], Node]
) -> Node:
    """The trace of a loop over a generator that communicates; of every other loop the trace as one that is ``repeated``."""
    found = _generator(builder, statement.subject, frame) if builder.analysis.generators else None
    if found is None:
        return repeated()
    value, call, _ = found
    if builder.looking:
        inner = _frame_of(builder, *found)
        verdict = builder.analysis.verdict(value, inner)
        if not verdict.apart and not verdict.divergences:  # all ranks draw as much from it, and meet in it
            builder.passed_over = True
            node = repeated()
            at = Where(frame.module, statement.spot, statement.spot)
            return builder.mark(Invoke, value, inner, at, node) if verdict.talks else node
    # An object that is looped over is not called where the loop is.
    is_called = value.function.name != ITER
    where = Where(frame.module, call.site, statement.spot) if is_called and isinstance(call, Call) else None
    closes = _closing(builder, found, where)

    def body(way: Ways) -> Node:
        on = _enter(builder, value, where, way.next)
        breaks, returns = closes(ways.next), closes(ways.returns)
        inner = ways._replace(next=on, continues=on, breaks=breaks, returns=returns)
        return _leave(builder, where, builder.block(statement.body, frame, inner))

    return _through(builder, found, where, exhausted, ways.raises, body)


def _enter(builder: Builder, value: FunctionValue, where: Where | None, next_: Node) -> Node:
    return next_ if where is None else builder.mark(Enter, value, where, next_)


def _leave(builder: Builder, where: Where | None, next_: Node) -> Node:
    return next_ if where is None else builder.mark(Leave, next_)


def _through(
    builder: Builder,
    found: tuple[FunctionValue, Term, Context],
    where: Where | None,
    after: Node,
    raises: Node,
    yields: Callable[[Ways], Node],
) -> Node:
    """What a generator runs from its beginning to its end, and ``yields`` where it hands out an item."""
    value, call, made_in = found
    inner = _frame_of(builder, value, call, made_in)
    leave = _leave(builder, where, after)
    builder.stack.append(value.function)
    try:
        body = builder.block(value.function.body, inner, Ways(leave, leave, leave, leave, raises, yields))
    finally:
        builder.stack.pop()
    return _enter(builder, value, where, body)


def _frame_of(builder: Builder, value: FunctionValue, call: Term, made_in: Context) -> Context:
    if value.function.name == ITER and isinstance(value.receiver, Instance):
        return builder.program.instance_frame(value.receiver, value.module, value.function)
    assert isinstance(call, Call)  # what is no call is an object, whose method is run on it
    return builder.program.enter(value, call, made_in)


def _closing(builder: Builder, found: tuple[FunctionValue, Term, Context], where: Where | None) -> Callable[[Node], Node]:
    """What runs, at the ``yield`` that is being built, when the generator is closed there."""
    function = found[0].function
    ends = any(effects(attempt.final) for attempt in of_kind(function, Try)) or any(True for _ in of_kind(function, With))
    known: dict[Node, dict[Yield | None, Node]] = {}

    def closes(after: Node) -> Node:
        if not ends:
            return after
        at = builder.yielding
        if after not in known:
            known[after] = {}

            def note(way: Ways) -> Node:
                known[after].setdefault(builder.yielding, way.returns)
                return way.next

            saved = builder.yielding
            _through(builder, found, where, after, after, note)
            builder.yielding = saved
        rest = known[after].get(at)
        return after if rest is None else _enter(builder, found[0], where, rest)

    return closes


def trace_yield(builder: Builder, statement: Yield, frame: Context, ways: Ways) -> Node:
    """A ``yield``, in what draws from the generator."""
    assert ways.yields is not None
    if statement.whole and statement.value is not None:
        found = _generator(builder, statement.value, frame)
        if found is not None:
            drawn = statement.value  # the call that makes the generator, or its name
            spot, node = statement.spot, "YieldFrom"
            if isinstance(drawn, Call) and written_in(statement.spot, drawn):  # it is written there: that is what is shown
                spot, node = drawn.site, "Call"
            where = Where(frame.module, spot, statement.spot, node)
            yields = ways.yields
            return _through(builder, found, where, ways.next, ways.raises, lambda way: builder.mark(Leave, yields(way)))
    saved, builder.yielding = builder.yielding, statement
    try:
        return ways.yields(ways)
    finally:
        builder.yielding = saved


def consumed(builder: Builder, call: Call, frame: Context, ways: Ways) -> Node | None:
    """``list(batches())``, ``next(batches())``: all that a generator runs, or up to its first item."""
    for library in _consumers(builder, call, frame):
        found = _generator(builder, call.args[0], frame)
        if found is None:
            return None
        where = Where(frame.module, call.site, call.site)
        first = builder.mark(Leave, ways.next) if builder.program.knowledge.iterates.get(library) == "item" else None
        return _through(builder, found, where, ways.next, ways.raises, partial(_from_yield, first))
    return None


def _consumers(builder: Builder, call: Call, frame: Context) -> Iterator[str]:
    for value in builder.program.values(call.callee, frame) if call.args else ():
        if isinstance(value, Library) and value.name in builder.analysis.consumers:
            yield value.name


def _from_yield(first: Node | None, way: Ways) -> Node:
    """Where it goes on at a ``yield``: behind what wanted the first item only, else to the next item."""
    return way.next if first is None else first
