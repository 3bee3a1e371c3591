"""Stopwatches: objects and context managers of the project that read a clock when they start, and subtract that when they stop.

``timer.tic()`` and ``timer.toc()``, ``with timed("forward"):``. Where the methods themselves wait for the device, all is well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.numerics.expressions import terms_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.timing.clocks import Clocks
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance
from trainlint.ir.nodes import Attr, BinOp, Call, Self, Term
from trainlint.ir.order import between, loops_around
from trainlint.ir.sketch import CallStep, Function, Store, With, Yield
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

_ENTER, _EXIT = "__enter__", "__exit__"


class Watch(NamedTuple):
    """A stopwatch in use, in one function: the calls that start and stop it, or the block that it times (then both are one)."""

    module: str
    function: Function
    start: CallStep
    stop: CallStep
    block: With | None = None


class Stopwatches:
    """The stopwatches of a program: for each class with one the methods that start it and stop it, by the attribute."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._clocks = program.ask(Clocks)
        self.starts: dict[int, set[str]] = {}
        self.stops: dict[int, set[str]] = {}
        #: Names by which a method is called that starts or stops a watch.
        self.names: set[str] = set()
        self.managers: set[int] = set()
        #: Names of context managers that may be one.
        self._opened: set[str] = set()
        for path, module in program.modules.items():
            for cls in module.classes.values():
                self._note(path, [module.functions[name] for name in cls.methods.values()])
                if _ENTER in cls.methods:
                    self._opened.add(cls.name)
            for function in module.functions.values():
                if function.generator and self._times_its_block(path, function):
                    self.managers.add(id(function))
                    self._opened.add(function.name)

    def _note(self, path: str, methods: list[Function]) -> None:
        """The methods of a class that read a clock into an attribute, and those that subtract the attribute from a clock."""
        begun = {
            (id(method), node.target.name)
            for method in methods
            for node in of_kind(method, Store)
            if isinstance(node.target, Attr)
            and isinstance(node.target.base, Self)
            and self._clocks.is_reading(node.value, path, method)
        }
        if not begun:
            return
        attributes = {name for _, name in begun}
        for method in methods:
            ended = {name for name in self._subtracted(path, method) if name in attributes}
            started = {name for of, name in begun if of == id(method)} - ended
            if started and method.name != "__init__":
                self.starts[id(method)] = started
                self.names.add(method.name)
            if ended:
                self.stops[id(method)] = ended
                self.names.add(method.name)

    def _subtracted(self, path: str, method: Function) -> Iterator[str]:
        """The attributes that are subtracted from a reading of a clock."""
        for _, begun in self._differences(path, method):
            if isinstance(begun, Attr) and isinstance(begun.base, Self):
                yield begun.name

    def _differences(self, path: str, function: Function) -> Iterator[tuple[Call, Term]]:
        """Each reading of a clock that something is subtracted from, and that; in texts, too."""
        texts = self.program.modules[path].texts
        pending, seen = list(terms_of(function)), set[Term]()
        while pending:
            for part in parts_of(pending.pop()):
                if part in seen:
                    continue
                seen.add(part)
                pending += texts.get(part, ())
                if isinstance(part, BinOp) and part.op == "Sub" and self._clocks.is_reading(part.left, path, function):
                    yield part.left, part.right

    def _times_its_block(self, path: str, function: Function) -> bool:
        """Whether a generator reads a clock before its only ``yield``, and subtracts that from a clock behind it."""
        yields = of_kind(function, Yield)
        if len(yields) != 1:
            return False
        read = self._clocks.is_reading
        differences = self._differences(path, function)
        return any(read(begun, path, function) and between(function, begun, yields[0], ended) for ended, begun in differences)

    # -- where they are used ---------------------------------------------------------------------------------------

    def used(self) -> Iterator[Watch]:
        """Each interval that a stopwatch times, in the function that starts and stops it."""
        found: dict[int, tuple[str, Function]] = {}
        for name in sorted(self.names):
            for site in self.program.ask(CallGraph).sites.get(name, ()):
                found.setdefault(id(site.function), (site.module, site.function))
        for module, function in found.values():
            yield from self._pairs(module, function)
        if self.managers or _ENTER in self.names:
            for module, function in self.program.functions():
                yield from self._blocks(module, function)

    def _pairs(self, module: str, function: Function) -> Iterator[Watch]:
        frame = self.program.frame(module, function)
        running: dict[tuple[Term, str], CallStep] = {}
        for node in calls_of(function):
            callee = node.term.callee
            if not isinstance(callee, Attr) or callee.name not in self.names:
                continue
            targets = [each for each in self.program.ask(CallGraph).targets(node.term, frame) if isinstance(each, FunctionValue)]
            if len(targets) != 1:
                continue
            method = id(targets[0].function)
            for name in self.stops.get(method, ()):
                start = running.pop((callee.base, name), None)
                if start is not None and loops_around(function, start) == loops_around(function, node):
                    yield Watch(module, function, start, node)
            for name in self.starts.get(method, ()):
                running[callee.base, name] = node

    def _blocks(self, module: str, function: Function) -> Iterator[Watch]:
        blocks = of_kind(function, With)
        frame = self.program.frame(module, function) if blocks else None
        for block in blocks:
            assert frame is not None
            for item in block.items:
                node = next((each for each in calls_of(function) if each.term is item), None)
                if node is not None and self._times(item, frame):
                    yield Watch(module, function, node, node, block)

    def _times(self, item: Term, frame: Frame) -> bool:
        """Whether a context manager is a stopwatch, whatever it may be."""
        if not isinstance(item, Call) or last_name(item.callee) not in self._opened:
            return False
        targets = [each for each in self.program.ask(CallGraph).targets(item, frame) if isinstance(each, FunctionValue)]
        if targets and all(id(each.function) in self.managers for each in targets):
            return True
        values = self.program.values(item, frame)
        return bool(values) and all(isinstance(value, Instance) and self._is_watch(value) for value in values)

    def _is_watch(self, value: Instance) -> bool:
        cls = ClassValue(value.module, value.cls)
        enter, leave = self.program.method(cls, _ENTER), self.program.method(cls, _EXIT)
        if enter is None or leave is None:
            return False
        return not self.starts.get(id(enter[1]), set()).isdisjoint(self.stops.get(id(leave[1]), set()))
