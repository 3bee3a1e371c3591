"""Clocks that are read, and recordings that begin or end, while devices of JAX still work on what is measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.jax.dispatch import BEGINS, ENDS, Dispatch, marks
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.timing import intervals
from trainlint.facts.timing.intervals import Placed
from trainlint.finding import Applicability, Spot
from trainlint.ir.bindings import bindings, held_at_end, held_in_rounds
from trainlint.ir.control_dependence import Failed, Led, conditions, walk_tested
from trainlint.ir.nodes import Attr, BoolOp, Call, Compare, Const, LoopPhi, Not, Ref, Self, Subscript, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import CallStep, Function, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.sites.changes import Change, InsertAfter, InsertBefore, Rewrite

_UNNAMED = "_"


class Unblocked(NamedTuple):
    """A place at which a device still works: ``what`` is the reading of a clock, or the begin or end of a recording.

    ``work`` is what the device was given last, ``start`` where the time is taken from, ``change`` waits for it.
    """

    module: str
    node: CallStep
    what: Literal["clock", "begins", "ends"]
    work: CallStep
    start: Spot | None
    change: Change | None


def unblocked(program: Program) -> Iterator[Unblocked]:
    """Each such place."""
    asked = program.ask(Dispatch)
    for found in intervals.unwaited(program, asked):
        interval = found.interval
        if interval.block is not None and _is_told(interval.start.term):
            continue
        if _is_asking(asked, interval) or not _runs_with(interval.function, found.work, interval.end):
            continue
        change = _before_reading(program, found)
        start = None if interval.block is not None else interval.start.term.site
        yield Unblocked(interval.module, interval.end, "clock", found.work, start, change)
    for name in (ENDS, BEGINS):
        for module, function, node in _marks(program, name):
            work = _running(asked, module, function, node, name)
            if work is not None and not tests_software(program, module, function):
                change = _waiting(program, module, function, work, node, node.statement)
                yield Unblocked(module, node, "ends" if name == ENDS else "begins", work, None, change)


def _is_told(opened: Call) -> bool:
    """Whether a stopwatch is told in which round to measure: the first one compiles, which takes longer than all the rest."""
    return any(isinstance(value, (Compare, Not, BoolOp)) for value in (*opened.args, *(value for _, value in opened.kwargs)))


def _runs_with(function: Function, work: CallStep, end: CallStep) -> bool:
    """Whether the device surely was given work when a clock is read: what some rounds do, they may wait for as well."""
    led = {id(node): found for node, found in walk_tested(function.body)}
    return all(test in led.get(id(end), ()) for test in led.get(id(work), ())) or id(end) not in led


def _is_asking(asked: Dispatch, interval: intervals.Interval) -> bool:
    """Whether the names that hold the readings say that the time is measured which it takes to ask: ``tracing_time``."""
    readings = (interval.start.term, interval.end.term)
    names = bindings(interval.function)
    named = (name.lower() for name, held in names if any(part in readings for part in parts_of(held)))
    return any(asked.measures_asking(name) for name in named)


# -- recordings ----------------------------------------------------------------------------------------------------------


def _marks(program: Program, name: str) -> Iterator[tuple[str, Function, CallStep]]:
    """The calls that begin, or end, a recording: of the library, and of the project's functions that do so and do not wait."""
    asked = program.ask(Dispatch)
    seen: set[int] = set()
    for module, function, node in marks(program, name):
        yield module, function, node
        if id(function) in seen or function.kind == "module" or asked.waits_in(function):
            continue
        seen.add(id(function))
        for site in program.ask(CallGraph).callers(function):
            if site.function is not function:
                yield site.module, site.function, site.call


def _running(asked: Dispatch, module: str, function: Function, node: CallStep, name: str) -> CallStep | None:
    """What a device may still work on at a call, by the statements before it in its round, and in the round before."""
    around = loops_around(function, node)
    placed = [Placed(each, led) for each, led in walk_tested(around[-1].body if around else function.body)]
    place = next((number for number, each in enumerate(placed) if each.node is node), None)
    if place is None or _is_first(placed[place].led):
        return None
    frame = asked.program.frame(module, function)
    order = placed[:place]
    if around and name == BEGINS:
        order = [*placed[place + 1 :], *order]
    running: CallStep | None = None
    for each, led in order:
        if not isinstance(each, CallStep) or any((test, not arm) in placed[place].led for test, arm in led):
            continue
        effect = asked.effect(each.term, frame)
        if effect in ("work", "long"):
            running = each if effect == "work" else None
        elif effect == "waits" and _always(asked, led, placed[place].led):
            running = None
    return running


def _is_first(led: Led) -> bool:
    """Whether a call runs in the first round: nothing was asked for before."""
    return any(
        arm
        and isinstance(test, Compare)
        and test.op == "Eq"
        and any(isinstance(side, Const) and side.value == 0 for side in test.subterms())
        for test, arm in conditions(led)
    )


def _always(asked: Dispatch, led: Led, other: Led) -> bool:
    """Whether a statement runs whenever another one does; tests for the rank do not matter, since one rank records."""
    return all((test, arm) in other or _asks_rank(asked, test) for test, arm in led)


def _asks_rank(asked: Dispatch, test: Term | Failed) -> bool:
    if isinstance(test, Failed):
        return False
    ranks = asked.knowledge.ranks
    return any(isinstance(part, Ref) and asked.knowledge.canonical(part.name) in ranks for part in parts_of(test))


# -- repairs -------------------------------------------------------------------------------------------------------------


def _before_reading(program: Program, found: intervals.Untimed) -> Change | None:
    interval = found.interval
    if interval.block is None:
        return _waiting(program, interval.module, interval.function, found.work, interval.end, interval.end.statement)
    behind = intervals.last_of(interval)
    names = _names(interval.function, found.work.term, interval.end)
    waits = reference(program.knowledge.written["blocks"], program.modules[interval.module])
    if behind is None or not names or waits is None:
        return None
    message, code = "Wait for the result before the clock is read", f"{waits}({{0}})"
    return InsertAfter(Applicability.SAFE, message, statement=behind, code=code, named=(found.work.statement, names))


def _waiting(program: Program, module: str, function: Function, work: CallStep, node: CallStep, statement: Spot) -> Change | None:
    """What waits for a result: its name, before the statement, or the call itself, where nobody keeps what it returns."""
    waits = reference(program.knowledge.written["blocks"], program.modules[module])
    if waits is None:
        return None
    message = "Wait for the result first"
    if work.statement == work.term.site:  # nobody keeps it
        paths = ((("function", 0),), (("arguments", 0),))
        return Rewrite(Applicability.SAFE, message, spot=work.term.site, code=f"{waits}({{0}}({{1}}))", paths=paths)
    names = _names(function, work.term, node)
    if not names or not _is_bound(function, work, node):
        return None
    code = f"{waits}({{0}})"
    return InsertBefore(Applicability.SAFE, message, statement=statement, code=code, named=(work.statement, names))


def _names(function: Function, work: Term, node: CallStep) -> tuple[str, ...]:
    """The names that may hold a result, or a part of it, to the end of the round or of the function, or up to a loop behind."""
    held = (*held_in_rounds(function).items(), *held_at_end(function).items())
    named = [(name, value) for name, value in held if _is_part(value, work)]
    before = node.term.site.end_line
    named += [
        (held.name, first)
        for held, (first, _) in function.carried.items()
        if isinstance(held, LoopPhi) and held.line > before and _is_part(first, work)
    ]
    for store in of_kind(function, Store):
        if (
            isinstance(store.target, Attr)
            and isinstance(store.target.base, Self)
            and function.kind == "method"
            and _is_part(store.value, work)
        ):
            named.append((f"{function.parameters[0]}.{store.target.name}", store.value))
    return tuple(name for _, _, name in sorted({(held is not work, str(held.parts[-1]), name) for name, held in named}))


def _is_part(held: Term, work: Term) -> bool:
    return held is work or (isinstance(held, Subscript) and held.base is work)


def _is_bound(function: Function, work: CallStep, node: CallStep) -> bool:
    """Whether a result is surely there where a call runs: it was asked for before, in the same round, under no other test."""
    inner, outer = loops_around(function, work), loops_around(function, node)
    if inner[: len(outer)] != outer or not all(_has_rounds(loop) for loop in inner[len(outer) :]):
        return False
    block = outer[-1].body if outer else function.body
    led = {id(each): each_led for each, each_led in walk_tested(block)}
    order = [id(each) for each, _ in walk_tested(block)]
    if id(work) not in led or id(node) not in led or order.index(id(work)) > order.index(id(node)):
        return False
    return all(test in led[id(node)] for test in led[id(work)])


def _has_rounds(loop: Loop) -> bool:
    """Whether a loop has a round at least: a number that is written down says so."""
    if not isinstance(loop.subject, Call) or last_name(loop.subject.callee) != "range" or len(loop.subject.args) != 1:
        return False
    (count,) = loop.subject.args
    return isinstance(count, Const) and type(count.value) is int and count.value > 0


__all__ = ["Unblocked", "unblocked"]
