"""Settings of TensorFlow's devices that come when the devices are in use already, and are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.traced.functions import reached
from trainlint.finding import Spot
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Global, Nested
from trainlint.ir.order import in_block
from trainlint.ir.sketch import CallStep, Function, Try
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import At, calling_contexts, path, runs_before
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue, Library


class Late(NamedTuple):
    """A call that sets how memory grows, and what has used the devices before.

    ``used`` is the file and the place of that; ``beside`` its statement, where it stands in the same function.
    ``caught`` says that a handler around the call may hide the error.
    """

    module: str
    call: CallStep
    used: tuple[str, Spot]
    beside: Spot | None
    caught: bool


def late(program: Program) -> Iterator[Late]:
    """Each such call."""
    table = program.knowledge.tables["tensorflow.devices"]
    for name in sorted({dotted.rpartition(".")[2] for dotted in table["settings"]}):
        for site in program.ask(CallGraph).sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            if not _is_one(program, site.call, frame, table["settings"]) or tests_software(program, site.module, site.function):
                continue
            if _has(program, site.module, frozenset(table["graphs"])):
                continue  # without eager execution nothing is used before a session is there
            found = _Uses(program, site).first()
            if found is not None:
                yield found


def _is_one(program: Program, call: CallStep, frame: Context, names: list[str]) -> bool:
    """Whether a call is one of these functions; a name that ends in a dot stands for all that begin with it."""
    for value in program.values(call.term.callee, frame):
        known = value.name if isinstance(value, Library) else ""
        if any(known == name or (name.endswith(".") and known.startswith(name)) for name in names):
            return True
    return False


def _has(program: Program, module: str, names: frozenset[str]) -> bool:
    """Whether a file calls something by one of these names."""
    return any(site.module == module for name in names for site in program.ask(CallGraph).sites.get(name, ()))


class _Uses:
    """What uses the devices before one call."""

    def __init__(self, program: Program, site: CallSite) -> None:
        self.program = program
        self.site = site
        self.table = program.knowledge.tables["tensorflow.devices"]
        self.traced = program.ask_of(reached, frozenset(self.table["traced"]))

    def first(self) -> Late | None:
        """The first use, in the call's own function or in one that leads to it; None where there is an activation without."""
        found = [self._in(frame) for frame in calling_contexts(self.program, self.site.module, self.site.function)]
        return found[0] if found and all(found) else None

    def _in(self, frame: Context) -> Late | None:
        places = path(At(frame, self.site.call.term.site))
        for place in places:
            for node, around in _before(self.program, place):
                used = self._use(node, place.frame, set())
                if used is not None:
                    beside = around if place.frame.function is self.site.function else None
                    return Late(self.site.module, self.site.call, used, beside, self._is_caught())
        outermost = places[-1].frame
        top = self.program.modules[outermost.module].functions["<module>"]
        if outermost.function is not top and outermost.function.kind == "function":
            alone = self.program.frame(outermost.module, top)
            for each in (call for call, led in walk_tested(top.body, unfailed=True) if isinstance(call, CallStep) and not led):
                if self._handed(each, outermost.function):
                    return None
                used = self._use(each, alone, None)
                if used is not None:
                    return Late(self.site.module, self.site.call, used, None, self._is_caught())
        return None

    def _handed(self, node: CallStep, function: Function) -> bool:
        """Whether a statement hands the function over: it may run there."""
        return any(last_name(given) == function.name for given in node.term.args if isinstance(given, (Global, Nested)))

    def _use(self, node: CallStep, frame: Context, seen: set[int] | None) -> tuple[str, Spot] | None:
        """The use of devices in a call, or in what it certainly runs (``seen``: functions looked into; None: into none)."""
        if _is_one(self.program, node, frame, self.table["uses"]):
            return frame.module, node.term.site
        if seen is None:
            return None
        for target in self.program.ask(CallGraph).targets(node.term, frame):
            if (
                isinstance(target, FunctionValue)
                and id(target.function) not in self.traced
                and id(target.function) not in seen
                and frame.follows(target.function)
            ):
                seen.add(id(target.function))
                if target.function.generator or target.function.decorators:
                    continue
                inner = self.program.enter(target, node.term, frame)
                for each, led in walk_tested(target.function.body, unfailed=True):
                    if isinstance(each, CallStep) and _is_one(self.program, each, inner, self.table["settings"]):
                        return None  # it is made there, before what follows
                    used = self._use(each, inner, seen) if isinstance(each, CallStep) and not led else None
                    if used is not None:
                        return used
        return None

    def _is_caught(self) -> bool:
        function, call = self.site.function, self.site.call.term
        return any(each.handlers and in_block(function, each.body, call) for each in of_kind(function, Try))


def _before(program: Program, place: At) -> Iterator[tuple[CallStep, Spot]]:
    """The calls of a function that run before a place whenever that is reached, each with its statement."""
    led_there: list[object] = []
    for each, led in walk_tested(place.frame.function.body):
        if isinstance(each, CallStep) and each.term.site == place.spot:
            led_there = list(led)
            break
    for node, led in walk_tested(place.frame.function.body):
        if (
            isinstance(node, CallStep)
            and all(each in led_there for each in led)
            and runs_before(program, At(place.frame, node.term.site), place)
        ):
            yield node, node.statement


__all__ = ["Late", "late"]
