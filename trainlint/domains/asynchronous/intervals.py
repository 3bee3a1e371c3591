"""Timed intervals: two readings of a clock, what runs between them, and whether the device was waited for.

Two functions that read the clock and go by one name, of which only the one for several processes waits for the
device.

``now = now_distributed if distributed else now_alone``: that one waits says what is timed. A test for the device is
another thing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Literal, NamedTuple

from trainlint.domains.asynchronous.clocks import Clocks, Stopwatches
from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.device import Device, Effect, Works, reads_result
from trainlint.domains.expressions import terms_of
from trainlint.finding import Spot
from trainlint.ir.bindings import carried_in
from trainlint.ir.control_dependence import Failed, Led, conditions, walk_tested
from trainlint.ir.nodes import NAMED, BinOp, Call, LoopPhi, Param, Ref, Select, Term
from trainlint.ir.order import before, loops_around, same_round
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Statement, With
from trainlint.ir.terms import all_parts, parts_of
from trainlint.ir.walk import effects
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.induction import is_counted
from trainlint.program.memo import relieve
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import Ran, calls_leading_to, leading_step, statements_run
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import passed
from trainlint.program.values import Context, FunctionValue

#: Said of an activation in which the device has nothing to do: the model is on the host there.
_IDLE: Literal["idle"] = "idle"


class Interval(NamedTuple):
    """The time between two readings of a clock; ``over``: from a reading of the round before.

    ``block`` is what a context manager times; then both readings are the call that makes it. ``module`` and ``function`` are
    those of the first reading; ``inner`` are the activations of the second, where that is of another function, which was
    handed the first.
    """

    module: str
    function: Function
    start: CallStep
    end: CallStep
    over: bool
    block: With | None = None
    inner: tuple[Context, ...] = ()

    @property
    def functions(self) -> tuple[Function, ...]:
        """Those that read the clock."""
        return (self.function, *(frame.function for frame in self.inner[:1]))

    @property
    def ends_in(self) -> str:
        """The file of the second reading."""
        return self.inner[0].module if self.inner else self.module

    def activations(self, program: Program) -> Iterator[tuple[Context, Context]]:
        """Those of the second reading, each with the one of the first."""
        for frame in self.inner or calling_contexts(program, self.module, self.function):
            yield frame, next(each for each in frame.active() if each.function is self.function)


class _Done(NamedTuple):
    """What a call, in a file, is to the device."""

    call: CallStep
    effect: Effect
    module: str


class Untimed(NamedTuple):
    """An interval that ends while the device works; ``work`` is what it was given last, in the file ``works_in``.

    ``before``: it may work already when the interval begins. ``sure``: nothing behind that work may wait for it.
    """

    interval: Interval
    work: CallStep
    works_in: str
    before: bool
    sure: bool = True


def unwaited(program: Program, asked: Works | None = None) -> Iterator[Untimed]:
    """The intervals that end while the device still works, in every activation of their functions.

    ``asked`` is who knows the device; without it, that of a GPU.
    """
    asked = program.ask(Device) if asked is None else asked
    ends: set[Term] = set()
    for interval in (*intervals(program, asked), *_watched(program, asked)):
        if not asked.used(interval.module) or tests_software(program, interval.module, interval.function):
            continue
        if asked.elsewhere(interval.module, interval.function):
            continue
        if interval.block is None and _is_told_apart(program, asked, interval):
            continue
        found: Untimed | None = None
        for frame, outer in interval.activations(program):
            relieve(program)
            if _is_led_elsewhere(asked, frame, interval.end.term):
                continue
            here = _judged(asked, interval, frame, outer) if interval.block is None else _in_block(asked, interval, frame)
            if here == _IDLE:
                continue
            if here is None:
                found = None
                break
            if found is not None:
                here = here._replace(sure=here.sure and found.sure, before=here.before or found.before)
            found = here
        if found is not None and interval.end.term not in ends:  # it may have begun here or there
            ends.add(interval.end.term)
            yield found


# -- intervals ---------------------------------------------------------------------------------------------------------


def intervals(program: Program, asked: Works) -> Iterator[Interval]:
    """Each pair of readings of which one is subtracted from the other, in the same loops."""
    for module, function in program.ask(Clocks).readers():
        yield from (interval for interval in _intervals(program, module, function) if asked.used(interval.module))


def _watched(program: Program, asked: Works) -> Iterator[Interval]:
    """What stopwatches of the project time, unless these wait for the device themselves."""
    for watch in Stopwatches(program).used():
        frame = program.frame(watch.module, watch.function)
        if watch.block is not None and not _manages_quietly(program, asked, watch.start.term, frame):
            continue
        if watch.block is None and {asked.effect(each.term, frame) for each in (watch.start, watch.stop)} != {"nothing"}:
            continue
        yield Interval(watch.module, watch.function, watch.start, watch.stop, over=False, block=watch.block)


def _manages_quietly(program: Program, asked: Works, item: Call, frame: Context) -> bool:
    """Whether nothing that a context manager runs when it is entered and left makes the host wait."""
    index = program.ask(CallGraph)
    targets = [each for each in index.targets(item, frame) if isinstance(each, FunctionValue)]
    ran = [program.enter(each, item, frame) for each in targets if not each.function.generator]
    ran += (inner for each in index.managed(item, frame) for inner in each.frames(program, item, frame))
    return all(_is_quiet(asked, node.term, where) for where in ran for node in calls_of(where.function))


def _is_quiet(asked: Works, call: Call, frame: Context) -> bool:
    """Whether a call of a stopwatch makes nobody wait; what it says of its numbers does not."""
    said = isinstance(call.callee, Ref) and call.callee.name.startswith("builtins.")
    return (said and not any(asked.holds_result(each, frame) for each in call.args)) or asked.effect(call, frame) == "nothing"


def _intervals(program: Program, module: str, function: Function) -> Iterator[Interval]:
    asked = program.ask(Clocks)
    reads = {call.term: call for call in calls_of(function) if asked.is_reading(call.term, module, function)}
    seen = set[tuple[Call, Call | Param]]()
    for end, start, over in _differences(program, module, function) if reads else ():
        if (end, start) in seen or end not in reads:
            continue
        seen.add((end, start))
        if isinstance(start, Param):
            yield from _handed(program, module, function, reads[end], start)
            continue
        if start not in reads:
            continue
        first, last = reads[start], reads[end]
        if not same_round(function, first, last) or over != before(function, last, first):
            continue
        yield Interval(module, function, first, last, over)


def _handed(program: Program, module: str, function: Function, end: CallStep, start: Param) -> Iterator[Interval]:
    """The intervals from the readings that a function is handed to its own."""
    asked = program.ask(Clocks)
    found: dict[tuple[CallStep, int], Interval] = {}
    for frame in calling_contexts(program, module, function):
        first, outer = passed(start, frame)
        lead = leading_step(frame, end, outer)
        read = next((node for node in calls_of(outer.function) if node.term is first), None)
        if outer is frame or lead is None or read is None or not asked.is_reading(first, outer.module, outer.function):
            continue
        if same_round(outer.function, read, lead) and before(outer.function, read, lead) and not loops_around(function, end):
            whole = found.setdefault((read, id(outer.function)), Interval(outer.module, outer.function, read, end, over=False))
            found[read, id(outer.function)] = whole._replace(inner=(*whole.inner, frame))
    yield from found.values()


def _differences(program: Program, module: str, function: Function) -> Iterator[tuple[Call, Call | Param, bool]]:
    """The readings that are subtracted: the later, the earlier, whether that was read in the round before."""
    asked = program.ask(Clocks)
    for part in all_parts(*terms_of(function)):
        if not isinstance(part, BinOp) or part.op != "Sub" or not asked.is_reading(part.left, module, function):
            continue
        for start, over in _readings(function, part.right):
            if isinstance(start, Param) or asked.is_reading(start, module, function):
                yield part.left, start, over


def _readings(function: Function, term: Term) -> Iterator[tuple[Term, bool]]:
    """What an earlier reading may be: itself, one of two, what a loop carries over to its next round."""
    pending, seen = [(term, False)], set[tuple[Term, bool]]()
    while pending:
        part, over = pending.pop()
        if (part, over) in seen:
            continue
        seen.add((part, over))
        carried = carried_in(function, part) if isinstance(part, LoopPhi) else None
        if isinstance(part, Select):
            pending += [(arm, over) for arm in reversed(part.arms)]
        elif carried is not None:
            pending.append((carried.back, True))
        else:
            yield part, over


def _is_told_apart(program: Program, asked: Works, interval: Interval) -> bool:
    """Whether the function also measures until the device is done: then how long it took to ask for the work is what is wanted.

    That is another reading of the clock which comes behind an explicit wait and nothing else, and from which one of these two is
    subtracted.
    """
    frame = interval.inner[0] if interval.inner else program.frame(interval.module, interval.function)
    order = calls_of(frame.function)
    place = {call.term: number for number, call in enumerate(order)}
    begun = place[interval.end.term]
    for end, start, _ in _differences(program, frame.module, frame.function):
        if passed(start, frame).term not in (interval.start.term, interval.end.term) or place.get(end, -1) <= begun:
            continue
        between = order[begun + 1 : place[end]]
        waits = next((number for number, call in enumerate(between) if last_name(call.term.callee) in asked.explicit), None)
        if waits is not None and all(asked.effect(call.term, frame) == "nothing" for call in between[:waits]):
            return True
    return False


# -- what runs in one --------------------------------------------------------------------------------------------------


def _judged(asked: Works, interval: Interval, frame: Context, outer: Context) -> Untimed | Literal["idle"] | None:
    """The interval, when the device works at its end and nothing in it, or around it in its loop, has made the host wait."""
    loops = loops_around(interval.function, interval.start)
    entered = calls_leading_to(frame, outer)
    ran = statements_run(asked.program, loops[-1].body if loops else interval.function.body, outer, lambda *call: call in entered)
    placed = [each for each in ran if not (isinstance(each.node, CallStep) and (each.node.term, each.frame) in entered)]
    start, end = _place(placed, interval.start), _place(placed, interval.end)
    if start is None or end is None:
        return None
    inside = [*placed[start + 1 :], *placed[:end]] if interval.over else placed[start + 1 : end]
    outside = [] if interval.over else [*placed[end + 1 :], *placed[:start]]
    effects = _until_done(_effects(asked, inside, placed[end].led))
    if effects is None:
        return None
    kinds = [each.effect for each in effects]
    if "work" not in kinds:
        return _IDLE
    first, last = kinds.index("work"), len(kinds) - 1 - kinds[::-1].index("work")
    if "moves" in kinds[first:] or (interval.over and "moves" in kinds):
        return None
    work = effects[last]
    if "moves" in kinds and (_trains(asked, effects) or (loops and not _makes_wait(asked, outside, placed[end].led))):
        return None
    before = not interval.over and _busy(asked, placed, start, outer, cyclic=bool(loops))
    return Untimed(interval, work.call, work.module, before, "unclear" not in kinds[last:])


def _in_block(asked: Works, interval: Interval, frame: Context) -> Untimed | Literal["idle"] | None:
    """The interval of a context manager, when the device works at its end and nothing in its block makes the host wait."""
    assert interval.block is not None
    ran = [*statements_run(asked.program, interval.block.body, frame, lambda *_: False)]
    effects = _until_done(_effects(asked, ran, ()))
    if effects is None:
        return None
    kinds = [each.effect for each in effects]
    if "work" not in kinds or "moves" in kinds:
        return _IDLE
    last = len(kinds) - 1 - kinds[::-1].index("work")
    work = effects[last]
    return Untimed(interval, work.call, work.module, before=False, sure="unclear" not in kinds[last:])


def _until_done(effects: Iterator[_Done]) -> list[_Done] | None:
    """What calls are to the device; None where one of them makes the host wait, or gives it work until it does."""
    found: list[_Done] = []
    for each in effects:
        if each.effect in ("waits", "long"):
            return None
        found.append(each)
    return found


def _makes_wait(asked: Works, placed: list[Ran], led: Led) -> bool:
    """Whether one of the calls that run on the way makes the host wait, or may."""
    return any(each.effect in ("waits", "moves", "long") for each in _effects(asked, placed, led))


def _is_led_elsewhere(asked: Works, frame: Context, call: Call) -> bool:
    """Whether a call in an activation, or one that leads to that, runs only where another kind of device is computed on."""
    made: Call | None = call
    for at in frame.active():
        if made is not None and any(asked.excludes(*each) for each in conditions(led_to(at.function, made))):
            return True
        made = at.call
    return False


def _place(placed: list[Ran], call: CallStep) -> int | None:
    return next((number for number, each in enumerate(placed) if each.node is call), None)


def _trains(asked: Works, effects: list[_Done]) -> bool:
    """Whether there is a backward pass among the work."""
    return any(each.effect == "work" and _is_called(each.call.term, asked.knowledge.backward) for each in effects)


def _is_called(call: Call, names: Container[str]) -> bool:
    """Whether the name of what is called is, as it stands, one of these."""
    return isinstance(call.callee, NAMED) and call.callee.name in names


def _effects(asked: Works, placed: list[Ran], led: Led) -> Iterator[_Done]:
    """What the calls are to the device, in order, of those that may run on the way; what seldom runs makes nobody wait."""
    long = [each.node for each in placed if isinstance(each.node, Loop) and not _repeats(asked, each.node, each.frame)]
    looped = {id(node) for loop in long for node in _inside(loop)}
    last: tuple[CallStep, str] | None = None
    for node, way, frame in placed:
        if any((test, not arm) in led for test, arm in way):
            continue
        seldom = any((test, arm) not in led and _is_seldom(test) for test, arm in way)
        if isinstance(node, CallStep):
            effect = asked.effect(node.term, frame)
            last = node, frame.module
            if effect == "work" and id(node) in looped:
                effect = "long"
            if not seldom or effect in ("work", "long"):
                yield _Done(node, effect, frame.module)
        elif last is not None and not seldom and reads_result(asked, node, frame):
            yield _Done(last[0], "waits", last[1])


def _inside(loop: Loop) -> Iterator[Statement]:
    for node, _ in walk_tested(loop.body):
        yield node


def _repeats(asked: Works, loop: Loop, frame: Context) -> bool:
    """Whether a loop does the same a number of times, as benchmarks do: no model is given what was fetched in the round."""
    if not is_counted(loop):
        return False
    made = [node.term for node in _inside(loop) if isinstance(node, CallStep)]
    fetched = {call for call in made if not asked.computes(call, frame) and last_name(call.callee) not in asked.knowledge.fluent}
    given = [part for call in made if asked.computes(call, frame) for each in call.args for part in parts_of(each)]
    return fetched.isdisjoint(given)


def _is_seldom(test: Term | Failed) -> bool:
    """Whether a test holds in some rounds only: every so many, or when something failed."""
    return isinstance(test, Failed) or any(isinstance(part, BinOp) and part.op == "Mod" for part in parts_of(test))


def _busy(asked: Works, placed: list[Ran], start: int, frame: Context, *, cyclic: bool) -> bool:
    """Whether the device may still work when the interval begins; where the function has given it nothing, for its callers."""
    order = [*(placed[start + 1 :] if cyclic else ()), *placed[:start]]
    last = ""
    for _, effect, _ in _effects(asked, order, placed[start].led):
        if effect not in ("nothing", "unclear"):
            last = effect
    above, call = frame.caller, frame.call
    if last or above is None or call is None:
        return last in ("work", "long")
    ran = [*statements_run(asked.program, above.function.body, above, lambda *_: False)]
    at = next((number for number, each in enumerate(ran) if isinstance(each.node, CallStep) and each.node.term is call), None)
    return at is not None and _busy(asked, ran, at, above, cyclic=False)


def last_of(interval: Interval) -> Spot | None:
    """The last statement of the block that is timed, where it is a plain one: behind it the host can wait."""
    last = next(reversed(effects(interval.block.body)), None) if interval.block is not None else None
    if isinstance(last, Keep) and isinstance(last.target, LoopPhi):
        return last.spot
    return last.statement if isinstance(last, CallStep) else None


def waiting_code(program: Program, module: str, *functions: Function) -> str | None:
    """What waits for the device, as these functions can write it; under a test unless the program surely runs with one.

    None where the device may be another one than the current, and has no name there.
    """
    here, written = program.modules[module], program.knowledge.written
    waits, asks = reference(written["synchronize"], here), reference(written["is_available"], here)
    if waits is None or asks is None:
        return None
    sites = program.ask(CallGraph).sites.get(asks.rpartition(".")[2], ())
    asked = any(program.together(site.module, module) for site in sites)
    sure = not asked and program.ask(Device).surely(module)
    if not program.ask(Device).numbered(module):
        return f"{waits}()" if sure else f"if {asks}():\n    {waits}()"
    names = [tuple(program.ask(Device).named_in(each)) for each in functions]
    named = next((name for name in names[0] if all(name in others for others in names)), None)
    return f"{waits}({named})" if sure and named is not None else None


class Twin(NamedTuple):
    """A reading of a clock in a function that waits for nothing, what its twin waits with, and what could stand there."""

    module: str
    read: CallStep
    waits: CallStep
    code: str | None


def unlike(program: Program) -> Iterator[Twin]:
    """The readings of such functions."""
    asked = program.ask(Clocks)
    for path, module in program.modules.items():
        chosen = [term for term in module.names.values() if isinstance(term, Select) and _asks(program, term.test)]
        if not chosen or not program.ask(Device).used(path):
            continue
        frame = program.frame(path, module.functions["<module>"])
        for term in chosen:
            arms = [program.values(arm, frame) for arm in term.arms]
            functions = [arm[0] for arm in arms if len(arm) == 1 and isinstance(arm[0], FunctionValue)]
            if len(functions) != len(arms):
                continue
            waits = [_wait(program, each) for each in functions]
            plain = [
                each for each, wait in zip(functions, waits, strict=True) if wait is None and asked.only_reads(each.function)
            ]
            waiting = [wait for wait in waits if wait is not None]
            if len(plain) == len(waiting) == 1:
                read = next(node for node in calls_of(plain[0].function) if asked.is_library(node.term))
                code = waiting_code(program, plain[0].module, plain[0].function)
                yield Twin(plain[0].module, read, waiting[0], code)


def _wait(program: Program, target: FunctionValue) -> CallStep | None:
    """Where a function that reads a clock waits for the device before, whatever happens."""
    asked = program.ask(Clocks)
    wait: CallStep | None = None
    for node in calls_of(target.function):
        if asked.is_library(node.term):
            return wait
        if last_name(node.term.callee) == program.knowledge.written["synchronize"].rpartition(".")[2]:
            wait = node
    return None


def _asks(program: Program, test: Term) -> bool:
    """Whether a test asks a library for its group of processes, and none for a device."""
    knowledge = program.knowledge
    names = {knowledge.canonical(part.name) for part in parts_of(test) if isinstance(part, Ref)}
    of_groups = knowledge.written["rank"].rpartition(".")[0] + "."
    asks = any(name in knowledge.ranks or name.startswith(of_groups) for name in names)
    return asks and knowledge.accelerators.isdisjoint(word for name in names for word in name.split("."))
