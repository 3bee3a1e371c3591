"""Clocks: where one is read, directly or by functions and stopwatches of the project.

Readings of a clock: calls of a library's, and of functions of the project that do nothing but read one.

Stopwatches: objects and context managers of the project that read a clock when they start, and subtract that when
they stop.

``timer.tic()`` and ``timer.toc()``, ``with timed("forward"):``. Where the methods themselves wait for the device,
all is well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from trainlint.domains.expressions import terms_of
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Ref, Self, Term
from trainlint.ir.order import between, loops_around
from trainlint.ir.sketch import CallStep, Function, Store, With, Yield
from trainlint.ir.terms import all_parts
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import SIDES, CallGraph, last_name
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance


class Clocks:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._known = program.knowledge.clocks
        names = {dotted.rpartition(".")[2] for dotted in self._known}
        reading = [site for name in sorted(names) for site in self.index.sites.get(name, ()) if self.is_library(site.call.term)]
        self._reading = {id(site.function): (site.module, site.function) for site in reading}
        self._helpers = {key: function for key, (_, function) in self._reading.items() if self._only_reads(function)}
        self._names = {function.name for function in self._helpers.values()}

    def is_library(self, term: Term) -> TypeGuard[Call]:
        """Whether a term is a reading of a library's clock."""
        if not isinstance(term, Call) or not isinstance(term.callee, Ref):
            return False
        return self.program.knowledge.canonical(term.callee.name) in self._known

    def is_reading(self, term: Term, module: str, function: Function) -> TypeGuard[Call]:
        """Whether a term of a function is a reading of a clock."""
        if self.is_library(term):
            return True
        if not isinstance(term, Call) or term.args or term.kwargs or last_name(term.callee) not in self._names:
            return False
        targets = self.index.targets(term, self.program.frame(module, function))
        return bool(targets) and all(isinstance(each, FunctionValue) and id(each.function) in self._helpers for each in targets)

    def readers(self) -> Iterator[tuple[str, Function]]:
        """The functions that read one."""
        found = dict(self._reading)
        for name in sorted(self._names):
            found.update((id(site.function), (site.module, site.function)) for site in self.index.sites.get(name, ()))
        yield from found.values()

    def only_reads(self, function: Function) -> bool:
        """Whether a function does nothing but read a clock."""
        return id(function) in self._helpers

    def _only_reads(self, function: Function) -> bool:
        results = self.program.returns(function)
        only = all(self.is_library(node.term) for node in calls_of(function))
        return only and function.kind != "module" and bool(results) and all(self._is_time(result) for result in results)

    def _is_time(self, term: Term) -> bool:
        """Whether a value is what a clock says, in whatever unit."""
        if isinstance(term, BinOp) and term.op in ("Mult", "Div"):
            return self._is_time(term.left) and isinstance(term.right, Const)
        return self.is_library(term)


_ENTER, _EXIT = SIDES


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
        readers = {id(function) for _, function in self._clocks.readers()}
        for path, module in program.modules.items() if readers else ():
            for cls in module.classes.values():
                methods = [module.functions[name] for name in cls.methods.values()]
                if any(id(method) in readers for method in methods):
                    self._note(path, methods)
                if _ENTER in cls.methods:
                    self._opened.add(cls.name)
            for function in module.functions.values():
                if function.generator and id(function) in readers and self._times_its_block(path, function):
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
        for part in all_parts(*terms_of(function)):
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

    def _times(self, item: Term, frame: Context) -> bool:
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
