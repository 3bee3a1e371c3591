"""Functions that run without a call in sight: from a list of callbacks, by a library, as a process, by a decorator.

What decorators do is here too: the function that runs in place of a decorated one, and those that enter a class in a registry.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from trainlint.ir.nodes import (
    Attr,
    Call,
    Const,
    Dict,
    Element,
    Global,
    Nested,
    NestedClass,
    Param,
    Ref,
    Self,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
)
from trainlint.ir.sketch import CallStep, Function, Keep, Module, Store
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.callables import partial_of
from trainlint.program.heap import held_by
from trainlint.program.loops import is_range
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Value


class Decorated:
    """Decorators applied: ``@synced`` above ``def save`` is the call ``synced(save)``, followed like any other."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._frames: dict[tuple[int, int], Context] = {}
        self._by_name: dict[str, list[tuple[str, Function, int]]] | None = None

    @remembered(None)
    def wrapper(self, module: str, function: Function, index: int) -> FunctionValue | None:
        """What runs instead of ``function`` because of its decorator number ``index``; None when that is not of the project."""
        top = self._around(module, function)
        decorator = function.decorators[index]
        if not any(isinstance(value, (FunctionValue, ClassValue)) for value in self.program.values(decorator, top)):
            return None
        for value in self.program.values(self.application(function, index), top):
            found = self._called(value)
            if found is not None and found.function is not function and not found.function.generator:
                return found
        return None

    def wrappers(self, module: str, function: Function) -> list[FunctionValue]:
        """What runs instead of ``function``, or around it, because of each of its decorators that is of the project."""
        found = (self.wrapper(module, function, index) for index in range(len(function.decorators)))
        return [each for each in found if each is not None]

    def _called(self, value: Value) -> FunctionValue | None:
        """What a call of a value runs."""
        if isinstance(value, FunctionValue):
            return value
        method = self.program.method(ClassValue(value.module, value.cls), "__call__") if isinstance(value, Instance) else None
        return FunctionValue(method[0], method[1], value) if method is not None else None

    def application(self, function: Function, index: int) -> Call:
        """The call that a decorator stands for, ``decorator(function)``; its spot is the decorator's."""
        inner = Nested.new(function.qualname)
        return Call.new(function.decorators[index], (inner,), (), function.decorator_spots[index])

    def _around(self, module: str, function: Function) -> Context:
        """Where the decorator stands."""
        functions = self.program.modules[module].functions
        outer = functions.get(function.outer or "<module>", functions["<module>"])
        return self.program.frame(module, outer)

    def frame(self, module: str, function: Function, index: int) -> Context:
        """An activation of the wrapper: its arguments are unknown, but for the object whose method is decorated."""
        key = (id(function), index)
        found = self._frames.get(key)
        if found is None:
            wrapper = self.wrapper(module, function, index)
            assert wrapper is not None
            found = Context(wrapper.module, wrapper.function, receiver=wrapper.receiver, closure=wrapper.closure)
            if found.closure is None:
                found.closure = self.program.frame(wrapper.module, wrapper.function).closure
            own = self.program.frame(module, function).receiver
            if own is not None and wrapper.receiver is None and wrapper.function.positional:
                found.arguments[wrapper.function.parameters[0]] = own
            self._frames[key] = found
        return found

    def by(self, wrapper: Function) -> Iterator[tuple[str, Function, int]]:
        """The functions in whose place ``wrapper`` runs, each with its file and the number of the decorator."""
        if self._by_name is None:
            self._by_name = {}
            for path, function in self.program.functions():
                for index, decorator in enumerate(function.decorators):
                    name = _name(decorator)
                    if name is not None:
                        self._by_name.setdefault(name, []).append((path, function, index))
        names = set(wrapper.outer.split(".")) if wrapper.outer is not None else set()
        if wrapper.name == "__call__" and wrapper.cls is not None:
            names.add(wrapper.cls.rpartition(".")[2])
        for name in sorted(names):
            for path, function, index in self._by_name.get(name, ()):
                found = self.wrapper(path, function, index)
                if found is not None and found.function is wrapper:
                    yield path, function, index


def _name(decorator: Term) -> str | None:
    """The last part of a decorator's name, with or without arguments."""
    while isinstance(decorator, Call):
        decorator = decorator.callee
    return decorator.name.rpartition(".")[2] if isinstance(decorator, (Ref, Global, Attr, Nested, NestedClass, Param)) else None


def registering_functions(module: Module) -> Iterator[Function]:
    """The functions of a file with a function in them that sets an item to what it is given; no methods."""
    for function in module.functions.values():
        if function.outer is not None and _keeps_parameter(function):
            outer = module.functions.get(function.outer)
            if outer is not None and outer.cls is None:
                yield outer


def _keeps_parameter(function: Function) -> bool:
    return any(
        isinstance(node, (Keep, Store))
        and isinstance(node.target, Subscript)
        and isinstance(node.value, Param)
        and node.value.function == function.qualname
        for node in statements_of(function)
    )


#: How a method puts its argument into the container that it is called on, by table ``data.changes``.
_MORE = "more"


class RegisteredCallback(NamedTuple):
    """Something that is put into a list of an object: what, in which activation, by which call; and by which call of that method.

    ``site`` is None where the method itself says what it is. ``key`` is what it is put under, if the object keeps several
    lists in a dict, and the activation that says so.
    """

    term: Term
    frame: Context
    call: CallStep
    method: FunctionValue
    site: CallSite | None
    key: tuple[Term, Context] | None = None


def kept_under(hands_out: Container[str], container: Term) -> tuple[str, Term | None] | None:
    """The attribute of ``self`` that a list is, or that it is in under a key (``self.hooks[name]``, ``self.hooks.get(name)``)."""
    key: Term | None = None
    if isinstance(container, Subscript) and not isinstance(container.key, Slice):
        key, container = container.key, container.base
    elif isinstance(container, Call):
        holder = held_by(hands_out, container)
        if holder is None:
            return None
        key, container = container.args[0], holder
    if not isinstance(container, Attr) or not isinstance(container.base, Self):
        return None
    return container.name, key


def added_to(program: Program, method: FunctionValue) -> Iterator[tuple[str, CallStep]]:
    """The attributes of its object to which a method adds something, and by which calls."""
    for node in calls_of(method.function):
        callee = node.term.callee
        if isinstance(callee, Attr) and node.term.args and program.knowledge.changes.get(callee.name) == _MORE:
            place = kept_under(program.knowledge.hands_out, callee.base)
            if place is not None:
                yield place[0], node


def registered_callbacks(program: Program, cls: ClassValue, name: str) -> list[RegisteredCallback] | None:
    """All that the methods of a class add to the list ``self.name``, as their calls stand; None where that is not known."""
    found: list[RegisteredCallback] = []
    for base in program.lineage(cls):
        if not isinstance(base, ClassValue):
            continue
        for qualname in base.cls.methods.values():
            function = program.modules[base.module].functions[qualname]
            method = FunctionValue(base.module, function)
            for attribute, node in added_to(program, method):
                if attribute != name:
                    continue
                more = _handed(program, method, node)
                if more is None:
                    return None
                found += more
    return found


def _handed(program: Program, method: FunctionValue, node: CallStep) -> list[RegisteredCallback] | None:
    value = node.term.args[0]
    callee = node.term.callee
    assert isinstance(callee, Attr)
    place = kept_under(program.knowledge.hands_out, callee.base)
    key = place[1] if place is not None else None
    if not isinstance(value, Param):
        at = program.frame(method.module, method.function)
        return [RegisteredCallback(value, at, node, method, None, None if key is None else (key, at))]
    index = program.ask(CallGraph)
    sites = index.callers(method.function)
    if not sites:
        return None
    found = []
    for site in sites:
        caller = program.frame(site.module, site.function)
        for target in index.targets(site.call.term, caller):
            if isinstance(target, FunctionValue) and target.function is method.function:
                inner = program.enter(target, site.call.term, caller)
                bound = inner.arguments.get(value.name)
                if not isinstance(bound, Argument):
                    return None
                found.append(
                    RegisteredCallback(bound.term, bound.frame, node, method, site, None if key is None else (key, inner))
                )
                break
    return found


class Registration(NamedTuple):
    """The call (``site``) that hands a function to a library, and the call (``runner``, dotted) in which that runs it.

    ``function`` is what was handed over, and ``run`` a call of it without arguments, as the library makes it.
    """

    site: CallSite
    runner: str
    function: FunctionValue
    run: Call


class FrameworkCallbacks:
    """The registered functions of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._of: dict[int, Registration] = {}
        #: What is registered, by the (dotted) call that runs it, in the order of the registrations.
        self.by_runner: dict[str, list[Registration]] = {}
        known = program.knowledge.job_hooks
        index = program.ask(CallGraph)
        for last in sorted({name.rpartition(".")[2] for name in known}):
            for site in index.sites_named(last):
                frame = program.frame(site.module, site.function)
                runner = next(
                    (
                        known[v.name]
                        for v in program.values(site.call.term.callee, frame)
                        if isinstance(v, Library) and v.name in known
                    ),
                    None,
                )
                if runner is None:
                    continue
                given = (*site.call.term.args, *(value for _, value in site.call.term.kwargs))
                for term in given:
                    for value in program.values(term, frame):
                        if isinstance(value, FunctionValue):
                            run = Call.new(term, (), (), site.call.term.site)
                            found = Registration(site, runner, value, run)
                            self._of.setdefault(id(value.function), found)
                            self.by_runner.setdefault(runner, []).append(found)

    def registration(self, function: Function) -> Registration | None:
        """Where a function was registered; None when a library never runs it by itself, as far as tables know."""
        return self._of.get(id(function))

    def run_by(self, name: str, call: Call, frame: Context) -> Iterator[Registration]:
        """What a library's function (dotted ``name``) runs, called like this: what was registered with this very object.

        Where nobody can see which object that is, what was registered in this file.
        """
        for found in self.by_runner.get(name, ()):
            site = found.site
            if self.program.component(site.module) == self.program.component(frame.module):
                mine = self._objects(call, frame)
                theirs = self._objects(site.call.term, self.program.frame(site.module, site.function))
                if mine & theirs if mine and theirs else site.module == frame.module:
                    yield found

    def _objects(self, call: Call, frame: Context) -> set[Term]:
        """The calls that made the object whose method is called."""
        callee = call.callee
        values = self.program.values(callee.base, frame) if isinstance(callee, Attr) else ()
        return {value.call for value in values if isinstance(value, LibraryObject) and value.call is not None}


#: How a spawner and a starter call the function they are given.
_SPAWNED = ("fn", "f")
_STARTED = "target"


class Spawned:
    """For every function that is started once for each rank, the parameters that say which one it is."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._numbers: dict[int, set[str]] = {}
        for names, note in ((program.knowledge.spawners, self._spawn), (program.knowledge.starters, self._start)):
            for name in sorted({name.rpartition(".")[2] for name in names}):
                for site in self.index.sites_named(name):
                    frame = program.frame(site.module, site.function)
                    targets = self.index.targets(site.call.term, frame)
                    if any(isinstance(target, Library) and target.name in names for target in targets):
                        note(site.call.term, frame)

    def numbers(self, function: Function) -> set[str]:
        """The parameters of a function that hold the number of its process (none when it is not started as one)."""
        return self._numbers.get(id(function), set())

    def is_started(self, function: Function) -> bool:
        """Whether a function is started as a process at all."""
        return id(function) in self._numbers

    def _spawn(self, call: Call, frame: Context) -> None:
        """``spawn(fn, args)``: the function gets the number first."""
        given = [*call.args[:1], *(value for name, value in call.kwargs if name in _SPAWNED)]
        for function, filled in self._functions(given, frame):
            self._numbers.setdefault(id(function), set()).update(function.parameters[filled : filled + 1])

    def _start(self, call: Call, frame: Context) -> None:
        """``Process(target=fn, args=(rank, world))`` in a loop over numbers: what the loop hands out is the number."""
        keywords = dict(call.kwargs)
        arguments = keywords.get("args")
        named = keywords.get("kwargs")
        for function, filled in self._functions([keywords[_STARTED]] if _STARTED in keywords else [], frame):
            found: set[str] = set()
            if arguments is not None and isinstance(arguments, SequenceDisplay):
                positional = zip(function.parameters[filled : function.positional], arguments.items, strict=False)
                found.update(name for name, value in positional if self._counts(value, frame))
            if named is not None and isinstance(named, Dict):
                found.update(key.value for key, value in named.items if isinstance(key, Const) and self._counts(value, frame))
            self._numbers.setdefault(id(function), set()).update(found)

    def _functions(self, given: list[Term], frame: Context) -> Iterator[tuple[Function, int]]:
        """The functions of the project that are meant, and how many of their first parameters are filled already."""
        for term in given:
            for value in self.program.values(term, frame):
                if isinstance(value, FunctionValue):
                    yield value.function, int(value.receiver is not None)
                elif (partial := partial_of(value)) is not None:
                    for function, filled in self._functions([partial.callee], partial.frame):
                        yield function, filled + partial.filled

    def _counts(self, term: Term, frame: Context) -> bool:
        """Whether a term is what a loop over ``range(…)`` hands out."""
        return isinstance(term, Element) and is_range(self.program, term.of, frame)
