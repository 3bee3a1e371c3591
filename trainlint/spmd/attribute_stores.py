"""What attributes and names that were set elsewhere hold on each rank.

What is set from afar: attributes of an object that a function was handed, names of a file or of a function around.

``def setup(args): args.main = rank == 0``, ``global READY``, ``nonlocal done``, ``state.LEADER = ...`` of another file: whoever
asks later sees a name whose origin is not where it stands. Here is what every function of the program sets there, with the tests
that lead to it, and with those that lead to the calls of the function.

What an object keeps under a name, where some ranks store other things there than others.

``self.logger = None``, and under a test on the rank a real one; ``self.should_stop = True`` on rank 0 only. A later test on the
attribute is then a test on the rank, without a word that says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.attributes import BY_NAME, filled_by
from trainlint.ir.control_dependence import Tests, conditions, walk_tested
from trainlint.ir.nodes import Attr, Const, Dict, Global, List, Param, Self, Subscript, Term, Tuple
from trainlint.ir.sketch import CallStep, Function, Keep, Store
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    LibraryObject,
    ModuleValue,
    Unresolved,
    Value,
)

#: How many functions up the object is sought that a parameter stands for; calls of one function that are looked at; stores.
_DEEPEST, _MOST_CALLS, _MOST = 3, 4, 12

Stored = tuple[str, Function, Store | Keep]


class Setting(NamedTuple):
    """A value that a function stores somewhere, and the tests under which it does."""

    module: str
    function: Function
    value: Term
    tests: Tests
    step: Spot | None = None


class Settings:
    """The stores of a program that are no method's own business, found by what they change."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._attributes: dict[str, list[Stored]] | None = None
        self._names: dict[tuple[str, str], list[Stored]] = {}
        self._leading: dict[int, tuple[tuple[Context, Tests], ...]] = {}
        self._items: dict[object, list[Stored]] = {}
        self._of: dict[tuple[Value, object], tuple[Setting, ...]] = {}

    def of_attribute(self, holder: Value, name: str) -> tuple[Setting, ...]:
        """What is set as an attribute of an object, class or file, by others than its methods."""
        known = self._attributes
        stores = (self._read_once() if known is None else known).get(name)
        return self._those_of(holder, ("attribute", name), stores) if stores is not None else ()

    def of_item(self, holder: Value, name: object) -> tuple[Setting, ...]:
        """What functions set as an item of a dict or list that is not their own (``state["stop"] = True``)."""
        self._read_once()
        stores = self._items.get(name)
        return self._those_of(holder, ("item", name), stores) if stores is not None else ()

    def _those_of(self, holder: Value, name: tuple[str, object], stores: list[Stored]) -> tuple[Setting, ...]:
        key = (holder, name)
        if key not in self._of:
            self._of[key] = ()
            found = [each for each in stores if self._is_of(each, holder)]
            self._of[key] = tuple(self._setting(*each) for each in found) if len(found) <= _MOST else ()
        return self._of[key]

    def of_name(self, path: str, name: str) -> tuple[Setting, ...]:
        """What functions bind a name of their file's top level to (``global name``)."""
        self._read_once()
        found = self._names.get((path, name), [])
        return tuple(self._setting(*each) for each in found) if len(found) <= _MOST else ()

    def are_open(self, cls: ClassValue) -> bool:
        """Whether attributes of a class or its objects are set under names that are no constants: ``setattr(it, key, value)``.

        What they hold by default is then one value of many.
        """
        return any(self._related(cls, each) for each in self._open)

    @cached_property
    def _open(self) -> frozenset[ClassValue]:
        """The classes of which that can be seen."""
        index, found = self.program.ask(CallGraph), set[ClassValue]()
        for name in BY_NAME:
            for site in index.sites_named(name):
                holder = filled_by(site.call.term)
                if holder is not None:
                    found |= self._classes(holder, self.program.frame(site.module, site.function))
        return frozenset(found)

    def _classes(self, holder: Term, frame: Context) -> set[ClassValue]:
        """The classes of what an expression stands for, or of the items of what is passed for it."""
        found: set[ClassValue] = set()
        for value in self._objects(holder, frame, 0):
            if isinstance(value, Unresolved) and isinstance(value.term, (Tuple, List)):
                for item in value.term.items:
                    found |= {
                        ClassValue(each.module, each.cls)
                        for each in self._objects(item, value.frame, 0)
                        if type(each) is Instance
                    }
            elif isinstance(value, (ClassValue, Instance)):
                found.add(ClassValue(value.module, value.cls))
        return found

    def leading(self, function: Function) -> tuple[tuple[Context, Tests], ...]:
        """The tests that lead to the calls of a function, for each call; nothing where not all calls are known and few."""
        known = self._leading.get(id(function))
        if known is None:
            self._leading[id(function)] = ()
            sites = self.program.ask(CallGraph).callers(function)
            known = ()
            if 0 < len(sites) <= _MOST_CALLS and function.name != "__init__":
                known = tuple(
                    (self.program.frame(site.module, site.function), self.tests_of(site.function).get(id(site.call.term), ()))
                    for site in sites
                )
            self._leading[id(function)] = known
        return known

    def _read_once(self) -> dict[str, list[Stored]]:
        if self._attributes is None:
            self._attributes = self._read()
        return self._attributes

    def _read(self) -> dict[str, list[Stored]]:
        found: dict[str, list[Stored]] = {}
        for path, function in self.program.functions():
            for node in of_kind(function, Store):
                target = node.target
                if isinstance(target, Attr) and (not isinstance(target.base, Self) or function.kind == "classmethod"):
                    found.setdefault(target.name, []).append((path, function, node))
                elif isinstance(target, Global) and function.kind != "module":
                    self._names.setdefault((path, target.name), []).append((path, function, node))
            for kept in of_kind(function, Keep):
                if isinstance(kept.target, Subscript) and isinstance(kept.target.key, Const) and kept.kind != "AugAssign":
                    self._items.setdefault(kept.target.key.value, []).append((path, function, kept))
        return found

    def _setting(self, path: str, function: Function, node: Store | Keep) -> Setting:
        return Setting(path, function, node.value, self.tests_of(function).get(id(node), ()), node.spot)

    def _is_of(self, each: Stored, holder: Value) -> bool:
        path, function, node = each
        frame = self.program.frame(path, function)
        if not isinstance(node.target, (Attr, Subscript)):
            return False
        return any(self._same(value, holder) for value in self._objects(node.target.base, frame, 0))

    def _objects(self, term: Term, frame: Context, depth: int) -> Iterator[Value]:
        """What an expression stands for, also where it is a parameter: what the callers pass."""
        for value in self.program.values(term, frame):
            if not isinstance(value, Unresolved) or not isinstance(value.term, Param) or depth >= _DEEPEST:
                yield value
                continue
            holder = value.frame.holder(value.term.function)
            index = self.program.ask(CallGraph)
            sites = index.callers(holder.function) if holder is not None else []
            for site in sites[:_MOST_CALLS]:
                caller = self.program.frame(site.module, site.function)
                for target in index.targets(site.call.term, caller):
                    if isinstance(target, FunctionValue) and holder is not None and target.function is holder.function:
                        bound = self.program.enter(target, site.call.term, caller).arguments.get(value.term.name)
                        if isinstance(bound, Argument):
                            yield from self._objects(bound.term, bound.frame, depth + 1)

    def _same(self, value: Value, holder: Value) -> bool:
        if isinstance(value, Instance) and isinstance(holder, (Instance, ClassValue)):
            if isinstance(holder, Instance) and None not in (value.call, holder.call) and value.call is not holder.call:
                return False
            return self._related(ClassValue(value.module, value.cls), ClassValue(holder.module, holder.cls))
        if isinstance(value, ClassValue) and isinstance(holder, (Instance, ClassValue)):
            return self._related(value, ClassValue(holder.module, holder.cls))
        if isinstance(value, LibraryObject) and isinstance(holder, LibraryObject):
            return value.call is not None and value.call is holder.call
        if isinstance(value, Unresolved) and isinstance(holder, Unresolved):
            return isinstance(value.term, (Dict, List)) and value.term is holder.term
        return isinstance(value, ModuleValue) and value == holder

    def _related(self, one: ClassValue, other: ClassValue) -> bool:
        return one == other or one in self.program.lineage(other) or other in self.program.lineage(one)

    @remembered()
    def tests_of(self, function: Function) -> dict[int, Tests]:
        """The tests before each store and each call of a function (by the ids of the store and of the call's term)."""
        known: dict[int, Tests] = {}
        for node, led in walk_tested(function.body):
            if isinstance(node, (Store, Keep)):
                known[id(node)] = conditions(led)
            elif isinstance(node, CallStep):
                known[id(node.term)] = conditions(led)
        return known


class Attributes:
    """The stores of a program's classes, with the tests around them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._stores: dict[tuple[str, str, str], tuple[Setting, ...]] = {}

    def under_tests(self, cls: ClassValue, name: str) -> tuple[Setting, ...]:
        """The stores to ``self.name``, ``__init__`` first; none where what is stored last is plain.

        That is so where no test stands around any of them or leads to the calls of their methods, and no two are in one method.
        """
        key = (cls.module, cls.cls.qualname, name)
        if key not in self._stores:
            found = self.settings(cls, name)
            methods = {id(store.function): store.function for store in found}
            is_tested = (
                any(store.tests for store in found)
                or len(methods) < len(found)
                or any(tests for method in methods.values() for _, tests in self.program.ask(Settings).leading(method))
            )
            self._stores[key] = found if is_tested else ()
        return self._stores[key]

    def settings(self, cls: ClassValue, name: str) -> tuple[Setting, ...]:
        """All stores to ``self.name``, ``__init__`` first."""
        methods = {id(function): (module, function) for module, function, _ in self.program.stores(cls, name)}
        found = [each for method in methods.values() for each in self._in(*method).get(name, ())]
        return tuple(sorted(found, key=lambda store: store.function.name != "__init__"))

    @remembered()
    def _in(self, module: str, function: Function) -> dict[str, list[Setting]]:
        tests = self.program.ask(Settings).tests_of(function)
        known: dict[str, list[Setting]] = {}
        for node in of_kind(function, Store):
            if isinstance(node.target, Attr) and isinstance(node.target.base, Self):
                known.setdefault(node.target.name, []).append(Setting(module, function, node.value, tests.get(id(node), ())))
        return known
