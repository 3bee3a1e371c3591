"""Groups of processes on GPUs that are used before a process has chosen its GPU.

What a start of the group leads to is gone through in the order in which it runs: what follows in its function, in what that
calls, and then in the functions that call it. Who comes to something that chooses a GPU first is fine, and who did so before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.components import imported
from trainlint.facts.groups.devices import Touch, apart, sees, touches
from trainlint.facts.groups.started import Start, starts
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import FunctionValue, Other
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr, Const
from trainlint.ir.sketch import CallStep, Function

#: Functions that call each other, up from the start of the group and down into what is called.
_HIGHEST, _DEEPEST = 6, 5
#: Ways up that are looked at, and functions of a name that may be meant by a call of which nobody knows what it runs.
_MOST_WAYS, _MOST_MEANT = 12, 4


class Found(NamedTuple):
    """A call that works on the current GPU, in its file; ``touch`` says how."""

    module: str
    call: CallStep
    touch: Touch


class Unchosen(NamedTuple):
    """A start of the group after which ``used`` comes before any choice.

    ``way`` are the calls that lead to the start, the nearest first; ``later`` is a choice that comes too late in its function.
    """

    start: Start
    used: Found
    way: tuple[CallSite, ...]
    later: CallStep | None


class _Order:
    """What functions do first with the current GPU; asked of each function once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._first: dict[int, Found | None] = {}
        self._chosen: dict[int, bool] = {}
        self._led: dict[int, dict[int, Led]] = {}

    def led(self, function: Function) -> dict[int, Led]:
        """The tests that lead to each call of a function, by the call's id."""
        known = self._led.get(id(function))
        if known is None:
            known = {id(node): led for node, led in walk_tested(function.body) if isinstance(node, CallStep)}
            self._led[id(function)] = known
        return known

    def after(self, module: str, function: Function, start: int, depth: int = 0) -> Found | None:
        """What comes first among the calls of a function from one on, and in what they call."""
        frame = self.program.frame(module, function)
        leads = self.led(function)
        own = leads.get(id(calls_of(function)[start - 1]), ()) if start else ()  # who comes to the start passes these
        for call in calls_of(function)[start:]:
            led = tuple(each for each in leads.get(id(call), ()) if each not in own)
            touch = touches(self.program, call, frame, led)
            if touch is not None:
                return Found(module, call, touch)
            for path, inner, sure in self._meant(module, function, call):
                if sure:
                    found = self._within(path, inner, depth + 1)
                    if found is not None and found.touch is Touch.PUTS and apart(self.program, led):
                        continue
                else:  # what only may run may choose, and shows nothing else
                    found = Found(module, call, Touch.CHOOSES) if self.chooses(path, inner) else None
                if found is not None:
                    return found
        return None

    def _within(self, module: str, function: Function, depth: int) -> Found | None:
        if id(function) not in self._first and depth <= _DEEPEST:
            self._first[id(function)] = None  # ends recursion
            self._first[id(function)] = self.after(module, function, 0, depth)
        return self._first.get(id(function))

    def chooses(self, module: str, function: Function, depth: int = 0) -> bool:
        """Whether a function chooses a GPU somewhere, itself or in what it calls."""
        known = self._chosen.get(id(function))
        if known is None and depth <= _DEEPEST:
            self._chosen[id(function)] = False
            known = sees(self.program, function) or self.chooses_before(module, function, None, depth)
            self._chosen[id(function)] = known
        return bool(known)

    def chooses_before(self, module: str, function: Function, end: int | None, depth: int = 0) -> bool:
        """Whether one of the calls of a function up to one (None: to the last) chooses a GPU, or what it runs does."""
        frame = self.program.frame(module, function)
        for call in calls_of(function)[:end]:
            if touches(self.program, call, frame, ()) is Touch.CHOOSES:
                return True
            if any(self.chooses(path, inner, depth + 1) for path, inner, _ in self._meant(module, function, call)):
                return True
        return False

    def _meant(self, module: str, function: Function, call: CallStep) -> Iterator[tuple[str, Function, bool]]:
        """The functions of the project that a call runs, for certain; where nobody knows, the few methods that have its name."""
        frame = self.program.frame(module, function)
        targets = self.index.targets(call.term, frame)
        callee = call.term.callee
        # Of an object that nobody knows, a method is guessed by its name.
        sure = not isinstance(callee, Attr) or not all(
            isinstance(each, Other) for each in self.program.values(callee.base, frame)
        )
        functions = [target for target in targets if isinstance(target, FunctionValue)]
        for target in functions:
            yield target.module, target.function, sure and len(functions) == 1
        if not targets and isinstance(call.term.callee, Attr):
            named = self.program.methods_named(call.term.callee.name, module)
            yield from ((path, method, False) for path, method in named if len(named) <= _MOST_MEANT)


def unchosen(program: Program) -> Iterator[Unchosen]:
    """Each such start of a group, with what is used too early."""
    order = _Order(program)
    for start in program.ask(starts):
        site = start.site
        if not start.on_gpus(program) or tests_software(program, site.module, site.function):
            continue
        if _sees_one(program, start) or _is_alone(program, start):
            continue
        found = _used_early(order, start)
        if found is not None:
            yield found


def _sees_one(program: Program, start: Start) -> bool:
    """Whether the process may be one of a framework that shows each of its processes one GPU: an object of such, or beside it."""
    packages = program.knowledge.tables["groups"]["one_each"]
    if start.function.cls is not None:
        return not program.packages(start.site.module).isdisjoint(packages)
    return any(dotted.partition(".")[0] in packages for dotted in imported(program.modules[start.site.module]))


def _is_alone(program: Program, start: Start) -> bool:
    """Whether the group is one of a single process."""
    size = start.given(program, "world_size")
    return size is not None and isinstance(size, Const) and size.value == 1


def _used_early(order: _Order, start: Start) -> Unchosen | None:
    """What is used first after a start, on the way from it up to where the program begins."""
    site = start.site
    if sees(order.program, site.function):
        return None
    number = _number(site)
    first = None if order.chooses_before(site.module, site.function, number) else order.after(*_behind(site))
    if first is not None and _counts(order.program, start, first):
        later = _later(order, site, number)
        if later is not None:  # whoever calls this function leaves the choice to it
            return Unchosen(start, first, _clear(order, site, ()) or (), later)
    known = _early(order, start, site, ())
    return Unchosen(start, known[0], known[1], None) if known is not None else None


def _early(order: _Order, start: Start, site: CallSite, way: tuple[CallSite, ...]) -> tuple[Found, tuple[CallSite, ...]] | None:
    """What is used first from a call on, and the calls that lead to it from where the program begins, if none of them chose."""
    if order.chooses_before(site.module, site.function, _number(site)) or sees(order.program, site.function):
        return None
    first = order.after(*_behind(site))
    if first is not None:
        clear = _clear(order, site, way) if _counts(order.program, start, first) else None
        return (first, clear) if clear is not None else None
    for caller in _callers(order, site, way):
        known = _early(order, start, caller, (*way, caller))
        if known is not None:
            return known
    return None


def _clear(order: _Order, site: CallSite, way: tuple[CallSite, ...]) -> tuple[CallSite, ...] | None:
    """A way up to where the program begins, or far up, on which nothing chooses a GPU before; None when something does on all."""
    callers = _callers(order, site, way)
    if not callers:
        return way
    for caller in callers:
        if not order.chooses_before(caller.module, caller.function, _number(caller)) and not sees(order.program, caller.function):
            clear = _clear(order, caller, (*way, caller))
            if clear is not None:
                return clear
    return None


def _callers(order: _Order, site: CallSite, way: tuple[CallSite, ...]) -> list[CallSite]:
    """The calls that run the function of a call; of a method that nobody is seen to call, those that may mean it."""
    function = site.function
    if function.kind == "module" or len(way) >= _HIGHEST:
        return []
    found = order.index.callers(function)
    if not found and function.cls is not None and not function.name.startswith("__"):
        named = [each for each in order.index.sites_named(function.name) if _is_near(order.program, each.module, site.module)]
        found = named if len(named) <= _MOST_MEANT else []
    passed = {id(each.function) for each in (site, *way)}
    return [each for each in found if id(each.function) not in passed][:_MOST_WAYS]


def _is_near(program: Program, path: str, module: str) -> bool:
    """Whether two files belong together: by their imports, or since one is a script beside the package of the other.

    What leads from the one to the other may be a file that nobody had to read.
    """
    return program.together(path, module) or module.startswith(path.rpartition(os.sep)[0] + os.sep)


def _counts(program: Program, start: Start, found: Found) -> bool:
    """Whether it matters for this group: where nobody says that it is one of GPUs, a meeting shows nothing."""
    if found.touch is Touch.MEETS:
        parameter = program.knowledge.tables["groups.starts"][start.name]
        said = (
            start.given(program, parameter) is not None or start.name in program.knowledge.tables["groups"]["on_gpus_by_default"]
        )
        return said and start.given(program, "device_id") is None
    return found.touch is Touch.PUTS


def _number(site: CallSite) -> int:
    return next(number for number, call in enumerate(calls_of(site.function)) if call is site.call)


def _behind(site: CallSite) -> tuple[str, Function, int]:
    return site.module, site.function, _number(site) + 1


def _later(order: _Order, site: CallSite, number: int) -> CallStep | None:
    """The call behind the start, in its own function, that chooses a GPU."""
    frame = order.program.frame(site.module, site.function)
    behind = calls_of(site.function)[number + 1 :]
    return next((call for call in behind if touches(order.program, call, frame, ()) is Touch.CHOOSES), None)
