"""Patience: what ends a run or lowers the learning rate after some evaluations without an improvement, and which acts first.

A callback of Keras or Lightning, a scheduler that steps by a metric, a counter in a loop that is set back by a better result, an
object of the project that keeps such a counter: compared is after how many evaluations without an improvement each acts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.finding import Spot
from trainlint.flow.path_condition import key_of
from trainlint.ir.control_dependence import Led, conditions, walk_tested
from trainlint.ir.nodes import And, Attr, Augmented, BinOp, Call, Compare, Const, Dict, LoopPhi, Or, Param, Select, Self, Term
from trainlint.ir.operators import OPPOSITES, TURNED
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Statement, Store
from trainlint.ir.terms import is_true, mentions, parts_of, parts_through, whole_number
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import constant, number
from trainlint.program.contexts import own_then_called
from trainlint.program.induction import is_set_back
from trainlint.program.loops import rounds_of
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, LibraryObject

STOP, REDUCE = "stop", "reduce"
_PATIENCE, _MONITOR, _CALLBACKS, _FIT, _OPTIMIZERS = "patience", "monitor", "callbacks", "fit", "configure_optimizers"
_LEAVES = ("break", "return", "exit")
_REACHES = {"GtE": 0, "Eq": 0, "Gt": 1}


class Count(NamedTuple):
    """A number of evaluations: written down, or so many more than what a term says (``said``, its key)."""

    number: int
    said: object = None

    def reaches(self, other: Count) -> bool:
        """Whether this surely is at least the other."""
        return self.said is other.said and self.number >= other.number


class Waiting(NamedTuple):
    """What acts ``after`` so many evaluations without an improvement; ``named``: its class, None for a counter."""

    module: str
    spot: Spot
    acts: str
    after: Count
    named: str | None = None


class Unreached(NamedTuple):
    """What never acts, at the call that makes it; what ends the run before, or how many evaluations a run has at most."""

    waiting: Waiting
    statement: Spot
    earlier: Waiting | None
    most: int | None = None


def unreached(program: Program) -> Iterator[Unreached]:
    """Whatever waits longer than a run lasts, each once."""
    seen: set[tuple[str, Spot]] = set()
    for found in (*_of_frameworks(program), *_of_loops(program)):
        key = (found.waiting.module, found.waiting.spot)
        if key not in seen:
            seen.add(key)
            yield found


class _Callback(NamedTuple):
    waiting: Waiting
    made: LibraryObject
    watched: object


def _callback(program: Program, made: object) -> _Callback | None:
    """A callback or scheduler that waits, if its patience and what it watches are known, and nothing else decides."""
    row = program.knowledge.tables["patience"].get(made.name) if isinstance(made, LibraryObject) else None
    if row is None or not isinstance(made, LibraryObject) or made.call is None or made.frame is None:
        return None
    acts, more, default, monitor, *unless = row
    asked, call, frame = program.ask(Options), made.call, made.frame
    if any(not asked.given(call, frame, name, made.name).absent for name in unless):
        return None
    given = asked.given(call, frame, _PATIENCE, made.name)
    if not given.known:
        return None
    patience = constant(program, given.term, frame) if given.term is not None else None
    if given.term is None:
        after = Count(max(int(default) + int(more), 1))
    elif patience is not None:
        if type(patience.value) is not int:
            return None
        after = Count(max(patience.value + int(more), 1))
    else:
        after = Count(int(more), key_of(program, given.term, frame))
    watched = asked.given(call, frame, _MONITOR, made.name)
    names = [monitor] if watched.absent else watched.constants()
    if not watched.known or (names is not None and len(names) != 1):
        return None
    key = names[0] if names is not None else key_of(program, watched.term, frame) if watched.term is not None else None
    return _Callback(Waiting(frame.module, call.site, acts, after, last_name(call.callee)), made, key)


def _statement(made: LibraryObject) -> Spot:
    assert made.frame is not None
    assert made.call is not None
    found = (node.statement for node in calls_of(made.frame.function) if node.term is made.call)
    return next(found, made.call.site)


# -- callbacks of frameworks ------------------------------------------------------------------------------------------


def _of_frameworks(program: Program) -> Iterator[Unreached]:
    for name, length in program.knowledge.tables["patience.runs"].items():
        for site in program.ask(CallGraph).sites_named(name):
            if not tests_software(program, site.module, site.function):
                yield from _of_run(program, site, length)


def _of_run(program: Program, site: CallSite, length: str) -> Iterator[Unreached]:
    call, asked = site.call.term, program.ask(Options)
    for frame in own_then_called(program, site):
        listed = asked.argument(call, _CALLBACKS, None)
        values = program.propagation.elements(listed, frame) if listed is not None else ()
        callbacks = [each for value in values if (each := _callback(program, value)) is not None]
        if not callbacks:
            continue
        names = program.knowledge.tables["patience.counts_epochs"]["names"]
        if any(not asked.given(call, frame, name, None).absent for name in names):
            return
        for stop in (each for each in callbacks if each.waiting.acts == STOP):
            for other in (*callbacks, *_plateaus_of_modules(program, site)):
                same = other.watched == stop.watched and other.watched is not None
                if other.waiting.acts == REDUCE and same and other.waiting.after.reaches(stop.waiting.after):
                    yield Unreached(other.waiting, _statement(other.made), stop.waiting)
        rounds = asked.constant_in(call, frame, length)
        most = whole_number(rounds) or 0
        for each in callbacks if most > 1 else ():
            if each.waiting.after.reaches(Count(most - 1)) and not _restores(
                program, each
            ):  # the first one improves, and behind the last one nothing follows
                yield Unreached(each.waiting, _statement(each.made), None, most)
        return


def _restores(program: Program, callback: _Callback) -> bool:
    """Whether a callback does something at the end of a run, too."""
    made = callback.made
    assert made.call is not None
    assert made.frame is not None
    names = program.knowledge.tables["patience.restores"]["names"]
    return any(not program.ask(Options).given(made.call, made.frame, name, made.name).absent for name in names)


def _plateaus_of_modules(program: Program, site: CallSite) -> Iterator[_Callback]:
    """The schedulers of the modules that a trainer, which a call makes, is given to fit."""
    for fit in program.ask(CallGraph).sites_named(_FIT):
        callee = fit.call.term.callee
        if fit.module != site.module or not isinstance(callee, Attr) or not fit.call.term.args:
            continue
        for where in own_then_called(program, fit):
            trainers = program.values(callee.base, where)
            if not any(isinstance(each, LibraryObject) and each.call is site.call.term for each in trainers):
                continue
            for module in program.values(fit.call.term.args[0], where):
                method = (
                    program.method(ClassValue(module.module, module.cls), _OPTIMIZERS) if isinstance(module, Instance) else None
                )
                if method is not None:
                    yield from _plateaus_in(program, *method)
            break


def _plateaus_in(program: Program, path: str, function: Function) -> Iterator[_Callback]:
    """The schedulers that a method hands to its framework, each with what a dict beside it says that they watch."""
    frame = program.frame(path, function)
    for part in parts_of(*program.returns(function)):
        if isinstance(part, Dict):
            said = {key.value: value for key, value in part.items if isinstance(key, Const)}
            watched = constant(program, said[_MONITOR], frame) if _MONITOR in said else None
            if watched is not None and "frequency" not in said:
                for value in said.values():
                    for made in program.values(value, frame):
                        found = _callback(program, made)
                        if found is not None:
                            yield found._replace(watched=watched.value)


# -- loops ------------------------------------------------------------------------------------------------------------


def _of_loops(program: Program) -> Iterator[Unreached]:
    """The schedulers that are told a metric in a loop, where a counter ends that, or its rounds do."""
    for site in program.ask(CallGraph).sites_named("step"):
        call, callee = site.call.term, site.call.term.callee
        if not isinstance(callee, Attr) or not (call.args or call.kwargs):
            continue
        if tests_software(program, site.module, site.function):
            continue
        for frame in own_then_called(program, site):
            made = [_callback(program, value) for value in program.values(callee.base, frame)]
            found = made[0] if len(made) == 1 else None
            if found is not None and found.waiting.acts == REDUCE:
                told = _in_its_loop(site, frame)
                answer = _told(program, found, told) if told is not None else None
                if answer is not None:
                    yield answer
                break


class _Told(NamedTuple):
    """Where a scheduler is told a metric: the call, its activation, and the loops around it."""

    site: CallSite
    frame: Context
    around: tuple[Loop, ...]
    metric: Term


def _in_its_loop(site: CallSite, frame: Context) -> _Told | None:
    """The same as the function sees it that has the loop: a helper may tell the scheduler."""
    call = site.call.term
    metric = call.args[0] if call.args else call.kwargs[0][1]
    while not loops_around(frame.function, call) and frame.call is not None and frame.caller is not None:
        given = frame.given(metric) if isinstance(metric, Param) else None
        if not isinstance(given, Argument):
            return None
        metric, call, frame = given.term, frame.call, frame.caller
    around = loops_around(frame.function, call)
    node = next((each for each in calls_of(frame.function) if each.term is call), None)
    if not around or node is None:
        return None
    return _Told(CallSite(frame.module, frame.function, node), frame, around, _core(metric))


def _told(program: Program, found: _Callback, told: _Told) -> Unreached | None:
    loop = told.around[-1]
    statements = list(walk_tested(loop.body))
    led = next((led for node, led in statements if node is told.site.call), ())
    for stop in _stops(program, told, statements):
        if conditions(stop.led) and not set(conditions(stop.led)) <= set(conditions(led)):
            continue  # in some rounds only: it counts more slowly
        if found.waiting.after.reaches(stop.waiting.after):
            return Unreached(found.waiting, _statement(found.made), stop.waiting)
    rounds = rounds_of(program, loop, told.frame) if len(told.around) == 1 and told.frame.caller is None else None
    if rounds is not None and rounds > 1 and found.waiting.after.reaches(Count(rounds - 1)):
        return Unreached(found.waiting, _statement(found.made), None, rounds)
    return None


def _core(metric: Term) -> Term:
    """What a metric is computed of, where that only turns or scales it: ``-accuracy``, ``loss / 10``, ``loss.item()``."""
    while True:
        if isinstance(metric, BinOp) and any(isinstance(side, Const) for side in metric.sides):
            metric = metric.left if isinstance(metric.right, Const) else metric.right
        elif isinstance(metric, Call) and isinstance(metric.callee, Attr) and metric.callee.name == "item":
            metric = metric.callee.base
        else:
            return metric


class _Stop(NamedTuple):
    """A counter that ends a loop, and the tests that lead to where it is counted, without those that ask for the metric."""

    waiting: Waiting
    led: Led


def _stops(program: Program, told: _Told, statements: list[tuple[Statement, Led]]) -> Iterator[_Stop]:
    """The counters of rounds without a better metric that end a loop."""
    for node, _ in statements:
        if not isinstance(node, If) or not _leaves(node, told.site.function, told.around[-1]):
            continue
        for part in _enough(node.condition):
            yield from _by_counter(program, part, node.spot, told, statements)
            yield from _by_object(program, part, node, told, statements)
    loop = told.around[-1]
    for part in _parts_of_condition(loop):
        yield from _by_counter(program, part, loop.spot, told, statements)


def _enough(test: Term) -> Iterator[Term]:
    """What alone makes a test hold: one of the parts of an ``or``, what sets a flag that is asked."""
    if isinstance(test, Or):
        for part in test.operands:
            yield from _enough(part)
    elif isinstance(test, Select):
        if is_true(test.then):
            yield from _enough(test.test)
        for arm in test.arms:
            yield from _enough(arm)
    else:
        yield test


def _parts_of_condition(loop: Loop) -> Iterator[Term]:
    """The tests that end a ``while`` when they hold."""
    parts = loop.subject.operands if isinstance(loop.subject, And) else (loop.subject,)
    for part in parts if loop.kind == "while" else ():
        if isinstance(part, Compare) and part.op in OPPOSITES:
            yield Compare.new(OPPOSITES[part.op], *part.sides)


def _by_counter(
    program: Program, test: Term, place: Spot, told: _Told, statements: list[tuple[Statement, Led]]
) -> Iterator[_Stop]:
    for bound, counter in _compared(program, test, told.frame):
        led = _counted(counter, told.metric, statements)
        if led is not None:
            yield _Stop(Waiting(told.site.module, place, STOP, _count(program, bound, told.frame)), led)


def _leaves(node: If, function: Function, loop: Loop) -> bool:
    exits = (each for each in walk(node.body) if isinstance(each, Exit) and each.kind in _LEAVES)
    return any(each.kind != "break" or loops_around(function, each)[-1] is loop for each in exits)


class _Bound(NamedTuple):
    term: Term
    more: int


def _compared(program: Program, test: Term, frame: Context) -> Iterator[tuple[_Bound, Term]]:
    """The counter that a test compares with a bound, where it is set back in some rounds: ``bad >= patience``."""
    if not isinstance(test, Compare):
        return
    ways = ((test.op, test.left, test.right), (TURNED.get(test.op, ""), test.right, test.left))
    for op, counter, bound in ways:
        if op in _REACHES:
            yield from (
                (_Bound(bound, _REACHES[op]), part)
                for part in parts_through(
                    counter, lambda each: each.made_of() if isinstance(each, Augmented) else each.subterms()
                )
                if isinstance(part, (LoopPhi, Attr)) and is_set_back(program, part, frame)
            )


def _count(program: Program, bound: _Bound, frame: Context) -> Count:
    known = number(program, bound.term, frame)
    if known is not None:
        return Count(known + bound.more)
    return Count(bound.more, key_of(program, bound.term, frame))


def _counted(counter: Term, metric: Term, statements: list[tuple[Statement, Led]]) -> Led | None:
    """The other tests that lead to where a counter is set, if one asks for the metric; None if none does."""
    found: list[tuple[Term, bool]] = []
    asked = False
    for node, led in statements:
        if isinstance(node, (Keep, Store)) and node.target is counter:
            tests = conditions(led)
            asked = asked or any(mentions(test, metric) for test, _ in tests) or mentions(node.value, metric)
            found += [(test, arm) for test, arm in tests if not mentions(test, metric) and not mentions(test, counter)]
    return tuple(found) if asked else None


def _by_object(program: Program, test: Term, node: If, told: _Told, statements: list[tuple[Statement, Led]]) -> Iterator[_Stop]:
    """The counter that an object of the project keeps, which is given the metric and says when to stop."""
    for step, led in statements:
        if not isinstance(step, CallStep) or not any(mentions(each, told.metric) for each in step.term.args):
            continue
        for target in program.ask(CallGraph).targets(step.term, told.frame):
            if isinstance(target, FunctionValue) and isinstance(target.receiver, Instance):
                flags = _flags(target.function)
                base = (
                    step.term.callee.base
                    if isinstance(step.term.callee, Attr) and target.function.name != "__call__"
                    else step.term.callee
                )
                inner = program.enter(target, step.term, told.frame)
                for word, asked in flags:
                    said = (
                        test is step.term if word is None else isinstance(test, Attr) and test.name == word and test.base is base
                    )
                    for bound, _ in _compared(program, asked, inner) if said else ():
                        waiting = Waiting(told.site.module, node.spot, STOP, _count(program, bound, inner))
                        yield _Stop(waiting, led)


def _flags(function: Function) -> Iterator[tuple[str | None, Term]]:
    """The tests of a method that make it return that all is over (None), or set an attribute to that."""
    for node in of_kind(function, If):
        for each in walk(node.body):
            if (
                isinstance(each, Store)
                and isinstance(each.target, Attr)
                and isinstance(each.target.base, Self)
                and is_true(each.value)
            ):
                yield each.target.name, node.condition
            elif isinstance(each, Exit) and each.kind == "return" and each.value is not None and is_true(each.value):
                yield None, node.condition
    for each in of_kind(function, Exit):
        if each.kind == "return" and isinstance(each.value, Compare):
            yield None, each.value
    for store in of_kind(function, Store):
        if isinstance(store.target, Attr) and isinstance(store.value, Compare):
            yield store.target.name, store.value
