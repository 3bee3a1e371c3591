"""What runs in place of a decorated function: the function that a decorator of the project returns for it."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Value
from trainlint.ir.nodes import Attr, Call, Global, Nested, NestedClass, Param, Ref, Term
from trainlint.ir.sketch import Function


class Decorated:
    """Decorators applied: ``@synced`` above ``def save`` is the call ``synced(save)``, followed like any other."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._wrappers: dict[tuple[int, int], FunctionValue | None] = {}
        self._frames: dict[tuple[int, int], Frame] = {}
        self._by_name: dict[str, list[tuple[str, Function, int]]] | None = None

    def wrapper(self, module: str, function: Function, index: int) -> FunctionValue | None:
        """What runs instead of ``function`` because of its decorator number ``index``; None when that is not of the project."""
        key = (id(function), index)
        if key not in self._wrappers:
            self._wrappers[key] = None  # a decorator that decorates itself
            self._wrappers[key] = self._wrapper(module, function, index)
        return self._wrappers[key]

    def _wrapper(self, module: str, function: Function, index: int) -> FunctionValue | None:
        top = self._around(module, function)
        decorator = function.decorators[index]
        if not any(isinstance(value, (FunctionValue, ClassValue)) for value in self.program.values(decorator, top)):
            return None
        for value in self.program.values(self.application(function, index), top):
            found = self._called(value)
            if found is not None and found.function is not function and not found.function.generator:
                return found
        return None

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

    def _around(self, module: str, function: Function) -> Frame:
        """Where the decorator stands."""
        functions = self.program.modules[module].functions
        outer = functions.get(function.outer or "<module>", functions["<module>"])
        return self.program.frame(module, outer)

    def frame(self, module: str, function: Function, index: int) -> Frame:
        """An activation of the wrapper: its arguments are unknown, but for the object whose method is decorated."""
        key = (id(function), index)
        found = self._frames.get(key)
        if found is None:
            wrapper = self.wrapper(module, function, index)
            assert wrapper is not None
            found = Frame(wrapper.module, wrapper.function, receiver=wrapper.receiver, closure=wrapper.closure)
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
