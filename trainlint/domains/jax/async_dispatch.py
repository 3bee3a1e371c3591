"""Asynchronous dispatch: whether a call gives the devices work or waits for it, and clocks read too early.

What a call is to the devices of JAX: it gives them work and returns at once, the host waits for a result, or
neither.

It answers as :class:`trainlint.domains.device.Device` does, so that the questions about clocks can be asked of
both. What nobody can see counts as waiting where it is handed what was computed.

Clocks that are read, and recordings that begin or end, while devices of JAX still work on what is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.domains.asynchronous import intervals
from trainlint.domains.device import Effect, effect_of
from trainlint.domains.traced.functions import Roots
from trainlint.edits.changes import Change, InsertAfter, InsertBefore, Rewrite
from trainlint.finding import Applicability, Reason, Spot
from trainlint.ir.bindings import bindings, carried_names, held_at_end, held_behind, held_in_rounds
from trainlint.ir.control_dependence import Failed, Led, conditions, walk_tested
from trainlint.ir.nodes import (
    Attr,
    BoolOp,
    Call,
    Compare,
    Const,
    Global,
    LoopPhi,
    Nested,
    Not,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import before, belongs_to, loops_around
from trainlint.ir.sketch import CallStep, Function, Loop, Store
from trainlint.ir.terms import in_numeric_order, parts_of, whole_number
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.constant_branch import alternatives
from trainlint.program.imports import imported
from trainlint.program.induction import is_range
from trainlint.program.memo import remembered
from trainlint.program.naming import reference, speaks_of
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import statements_run
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, FunctionValue, Library, LibraryObject, Value

_COMPILES = ("jit", "pmap")
_WAITS, _ALL, BEGINS, ENDS = "waits", "all", "begins", "ends"
_EMPTY: frozenset[Term] = frozenset()


class Dispatch:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        tables = program.knowledge.tables
        self.words: dict[str, str] = dict(tables["dispatch"])
        self._methods = frozenset(tables["dispatch.methods"]["names"])
        self._harmless = frozenset(tables["dispatch.harmless"]["names"]) | self.knowledge.only_asks
        self._packages = tuple(tables["dispatch.packages"]["names"])
        self._roots = {name.partition(".")[0] for name in self._packages}
        self._asking: list[str] = tables["dispatch.asking"]["names"]
        self._once: list[str] = tables["traced.starts"]["names"]
        self.explicit = frozenset((self.knowledge.written["blocks"].rpartition(".")[2],))

    @remembered()
    def used(self, module: str) -> bool:
        """Whether a file computes with the library."""
        names = imported(self.program.modules[module])
        return any(name.partition(".")[0] in self._roots for name in names)

    def elsewhere(self, module: str, function: Function) -> bool:
        """Whether a function says that it measures how long it takes to ask; on every device calls return at once."""
        return self.measures_asking(f"{module}.{function.qualname}".lower())

    def excludes(self, _test: Term, _arm: bool) -> bool:
        """No test says that calls wait: they return at once on every device."""
        return False

    def measures_asking(self, name: str) -> bool:
        """Whether a name (lower case) says that it is about how long it takes to ask for something, or to compile it."""
        return any(word in name for word in self._asking)

    # -- one call --------------------------------------------------------------------------------------------------

    def compiled(self, callee: Value) -> bool:
        """Whether a value is a compiled function, which returns before its work is done."""
        if isinstance(callee, LibraryObject):
            ours = callee.call is not None and callee.name.partition(".")[0] in self._roots
            return ours and self.program.ask(Roots).word(callee) in _COMPILES
        if isinstance(callee, FunctionValue) and callee.function.decorators:
            spots = callee.function.decorator_spots
            return any(root.word in _COMPILES and root.spot in spots for root in self.program.ask(Roots).of(callee.function))
        return False

    def computes(self, call: Call, frame: Context) -> bool:
        """Whether a call gives a device work: of a compiled function, or of one whose result is waited for elsewhere here.

        Of a function that runs once the compilation takes the time, and that is done when the call returns.
        """
        if call.callee in self._waited_for(frame.module, frame.function):
            return True
        compiled = any(self.compiled(value) for value in self.program.values(call.callee, frame))
        return compiled and not speaks_of(last_name(call.callee) or "", self._once)

    def word(self, call: Call, frame: Context) -> str | None:
        """What a function of the library does that waits, begins to record or ends that."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self.words:
                return self.words[value.name]
        return None

    @remembered("waits")
    def effect(self, call: Call, frame: Context) -> Effect:
        """What a call is to the device, in an activation."""
        if self.computes(call, frame):
            return "work"
        name = last_name(call.callee) or ""
        word = self.word(call, frame)
        if word == _ALL:
            return "waits"
        if word in (BEGINS, ENDS):
            return "nothing"
        given = [*call.args, *(value for _, value in call.kwargs)]
        if isinstance(call.callee, Ref) and call.callee.name.startswith("builtins."):
            return "waits" if name in self.knowledge.reads_values and self._any(given, frame) else "nothing"
        targets = self.program.ask(CallGraph).targets(call, frame)
        libraries = [target.name for target in targets if isinstance(target, Library)]
        functions = [target for target in targets if isinstance(target, FunctionValue)]
        if functions:
            effects = {effect_of(self, target, call, frame) for target in functions}
            return effects.pop() if len(effects) == 1 else "waits"
        if any(self._is_waiting(each, frame) for each in call.args) and self._any(given, frame):
            return "waits"  # for each leaf of a tree
        quiet = word is None and name not in self._methods
        if quiet and libraries and all(library.startswith(self._packages) for library in libraries):
            return "nothing"
        if isinstance(call.callee, Attr):
            given.append(call.callee.base)
            if name in self._harmless:
                return "nothing"
            if name in self._methods and word != _WAITS and not self._any(given, frame):
                return "waits"  # of something computed elsewhere, perhaps before
        return "waits" if self._any(given, frame) else "nothing"

    def _is_waiting(self, term: Term, frame: Context) -> bool:
        """Whether a term is a function that waits for what it is given: of the library, or one that is written there."""
        if isinstance(term, Nested):
            inner = self.program.modules[frame.module].functions.get(term.name)
            return inner is not None and self.waits_in(inner)
        if not isinstance(term, Ref):
            return False
        name = term.name
        values = self.program.values(term, frame)
        waits = any(isinstance(value, Library) and self.words.get(value.name) in (_WAITS, _ALL) for value in values)
        return waits or name.rpartition(".")[2] in self._methods or not name.startswith((*self._packages, "builtins."))

    # -- what was computed -----------------------------------------------------------------------------------------

    @remembered(False)
    def holds_result(self, term: Term, frame: Context) -> bool:
        """Whether a term mentions what a device was asked for, here or in an activation around."""
        if isinstance(term, Call) and (self.computes(term, frame) or self._leads_to_work(term, frame)):
            return True
        return any(self.holds_result(*each) for each in self._behind(term, frame) if not isinstance(each[0], Const))

    def _leads_to_work(self, call: Call, frame: Context) -> bool:
        """Whether a function of the project asks a device for something, and hands on what may not be there yet."""
        targets = self.program.ask(CallGraph).targets(call, frame)
        return any(isinstance(each, FunctionValue) for each in targets) and self.effect(call, frame) in ("work", "long")

    def _behind(self, part: Term, frame: Context) -> Iterator[tuple[Term, Context]]:
        """What a term is made of, and what it stands for."""
        function = frame.function
        yield from ((each, frame) for each in self._put(function).get(part, ()))
        if isinstance(part, Param):
            given = frame.given(part)
            if isinstance(given, Argument):
                yield given.term, given.frame
        elif isinstance(part, LoopPhi):
            phi = function.phis.get(part)
            yield from ((each, frame) for each in phi.looped) if phi is not None else ()
        elif isinstance(part, Unknown):
            yield from ((each, frame) for each in part.pieces)
        elif isinstance(part, Select):
            yield from ((each, frame) for each in alternatives(part, frame, self.program))
        else:
            yield from ((each, frame) for each in part.subterms())

    @remembered()
    def _put(self, function: Function) -> dict[Term, list[Term]]:
        """What a function puts into its containers by their methods."""
        found: dict[Term, list[Term]] = {}
        for node in calls_of(function):
            callee = node.term.callee
            if isinstance(callee, Attr) and callee.name in self.knowledge.gathers:
                found.setdefault(callee.base, []).extend(node.term.args)
        return found

    def _any(self, terms: list[Term], frame: Context) -> bool:
        """Whether one of some terms mentions a result, or is a thing that a compiled function may have changed."""
        handed = self._handed_to_compiled(frame.module, frame.function)
        return any(self.holds_result(each, frame) or each in handed for each in terms)

    @remembered(_EMPTY)
    def _handed_to_compiled(self, module: str, function: Function) -> frozenset[Term]:
        """The things (no values of a loop) that a function hands to compiled ones: an object's arrays may be results then."""
        alone = self.program.frame(module, function)
        found = (each for node in calls_of(function) if self.computes(node.term, alone) for each in node.term.args)
        return frozenset(each for each in found if isinstance(each, (Param, Global, Attr, Call)))

    # -- results that somebody waits for ---------------------------------------------------------------------------

    @remembered(_EMPTY)
    def _waited_for(self, module: str, function: Function) -> frozenset[Term]:
        """The functions (as a function names them) of whose result it once waits: they return before that is there."""
        return frozenset(self._awaited_in(self.program.frame(module, function))) if self.used(module) else _EMPTY

    def _awaited_in(self, frame: Context) -> Iterator[Term]:
        for node in calls_of(frame.function):
            call = node.term
            if last_name(call.callee) in self._methods and call.args and self.word(call, frame) == _WAITS:
                held = call.args[0]
                if isinstance(held, LoopPhi):
                    held = held_behind(frame.function, held) or held
                if (
                    isinstance(held, Call)
                    and isinstance(held.callee, (Ref, Global))
                    and not held.callee.name.startswith(self._packages)
                ):
                    yield held.callee

    def waits_in(self, function: Function) -> bool:
        """Whether a function waits for something by name, whatever that is."""
        return any(last_name(node.term.callee) in self._methods for node in calls_of(function))


def marks(program: Program, name: str) -> Iterator[tuple[str, Function, CallStep]]:
    """The calls of the library that begin, or end, a recording of what runs on the devices."""
    asked = program.ask(Dispatch)
    for last in sorted({dotted.rpartition(".")[2] for dotted, word in asked.words.items() if word == name}):
        for site in program.ask(CallGraph).sites.get(last, ()):
            if asked.word(site.call.term, program.frame(site.module, site.function)) == name:
                yield site.module, site.function, site.call


class Unblocked(NamedTuple):
    """A place at which a device still works: ``what`` is the reading of a clock, or the begin or end of a recording.

    ``because`` names what the device was given last, and where the time is taken from; ``change`` waits for it.
    """

    module: str
    node: CallStep
    what: Literal["clock", "begins", "ends"]
    because: tuple[Reason, ...]
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
        because = [_dispatched(found.works_in, found.work)]
        if interval.block is None:
            because.append(Reason(interval.module, interval.start.term.site, "the time is measured from here"))
        yield Unblocked(interval.ends_in, interval.end, "clock", tuple(because), change)
    for name in (ENDS, BEGINS):
        for module, function, node in _marks(program, name):
            work = _running(asked, module, function, node, name)
            if work is not None and not tests_software(program, module, function):
                change = _waiting(program, module, function, work, node, node.statement)
                because = [_dispatched(module, work)]
                yield Unblocked(module, node, "ends" if name == ENDS else "begins", tuple(because), change)


def _dispatched(module: str, work: CallStep) -> Reason:
    return Reason(module, work.term.site, "this was dispatched, and nothing waits for it")


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
    frame = asked.program.frame(module, function)
    placed = [*statements_run(asked.program, around[-1].body if around else function.body, frame, lambda *_: False)]
    place = next((number for number, each in enumerate(placed) if each.node is node), None)
    if place is None or _is_first(placed[place].led):
        return None
    order = placed[:place]
    if around and name == BEGINS:
        order = [*placed[place + 1 :], *order]
    running: CallStep | None = None
    for each, led, _ in order:
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
    if interval.inner:
        return None
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
    behind = [loop for loop in of_kind(function, Loop) if before(function, node, loop)]
    named += [
        (phi.name, entry)
        for phi, entry, _ in carried_names(function)
        if _is_part(entry, work) and any(belongs_to(loop, phi) for loop in behind)
    ]
    for store in of_kind(function, Store):
        if (
            isinstance(store.target, Attr)
            and isinstance(store.target.base, Self)
            and function.kind == "method"
            and _is_part(store.value, work)
        ):
            named.append((f"{function.parameters[0]}.{store.target.name}", store.value))
    every = {(held is not work, str(held.parts[-1]), name) for name, held in named}
    return tuple(name for *_, name in sorted(every, key=lambda each: (each[0], in_numeric_order(each[1]), each[2])))


def _is_part(held: Term, work: Term) -> bool:
    return held is work or (isinstance(held, Subscript) and held.base is work)


def _is_bound(function: Function, work: CallStep, node: CallStep) -> bool:
    """Whether a result is surely there where a call runs: it was asked for before, in the same round, under no other test."""
    inner, outer = loops_around(function, work), loops_around(function, node)
    if inner[: len(outer)] != outer or not all(_runs_at_least_once(loop) for loop in inner[len(outer) :]):
        return False
    block = outer[-1].body if outer else function.body
    led = {id(each): each_led for each, each_led in walk_tested(block)}
    order = [id(each) for each, _ in walk_tested(block)]
    if id(work) not in led or id(node) not in led or order.index(id(work)) > order.index(id(node)):
        return False
    return all(test in led[id(node)] for test in led[id(work)])


def _runs_at_least_once(loop: Loop) -> bool:
    """Whether a loop has a round at least: a number that is written down says so."""
    subject = loop.subject
    return is_range(subject) and len(subject.args) == 1 and (whole_number(subject.args[0]) or 0) > 0
