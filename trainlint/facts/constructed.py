"""What a class is given when objects of it are made: the arguments of its constructor at the calls in sight.

``self.saver = saver`` in an ``__init__``: the attribute of an object is, if nobody knows which call made it, what any of these
calls passes for ``saver``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance
from trainlint.ir.nodes import Attr, Call, Global, Ref, Term
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import is_super
from trainlint.ir.walk import of_kind

if TYPE_CHECKING:
    from trainlint.facts.program import Program

_MOST = 8  # calls; a class that is made in more places says little by each
_INIT = "__init__"


class Constructed:
    """The constructor calls of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._sites: dict[str, list[tuple[str, Function, Call]]] | None = None
        self._passed: dict[tuple[int, str], list[Bound]] = {}

    def passed(self, cls: ClassValue, function: Function, name: str) -> list[Bound]:
        """What is passed for a parameter of a class's ``__init__``, by each call in sight that says so; tests do not count."""
        key = (id(function), name)
        known = self._passed.get(key)
        if known is None:
            self._passed[key] = []  # of a class that is given its own objects
            found = (frame.arguments.get(name) for frame in self._entered(cls, function))
            known = self._passed[key] = [each for each in found if isinstance(each, Bound)][:_MOST]
        return known

    def _entered(self, cls: ClassValue, function: Function) -> Iterator[Frame]:
        """The activations of a class's ``__init__`` that the calls in sight make, whoever runs these."""
        from trainlint.facts.software_tests import tests_software

        program = self.program
        in_tests: dict[int, bool] = {}
        for module, around, call in self._named(cls):
            frame = program.frame(module, around)
            target = self._target(call, frame, function)
            if target is None:
                continue
            if id(around) not in in_tests:
                in_tests[id(around)] = tests_software(program, module, around)
            if not in_tests[id(around)]:
                yield program.enter(target, call, frame)

    def _target(self, call: Call, frame: Frame, function: Function) -> FunctionValue | None:
        for value in self.program.values(call.callee, frame):
            if isinstance(value, ClassValue):
                method = self.program.method(value, _INIT)
                if method is not None and method[1] is function:
                    return FunctionValue(method[0], function, Instance(value.module, value.cls, call, frame))
            elif isinstance(value, FunctionValue) and value.function is function and _is_of_super(call.callee):
                return value
        return None

    def _named(self, cls: ClassValue) -> Iterator[tuple[str, Function, Call]]:
        """The calls that go by the name of the class or of one that is derived from it, and those of ``super().__init__``."""
        if self._sites is None:
            self._sites = {}
            names = self.program.class_names() | {_INIT}
            for module, function in self.program.functions():
                for call in of_kind(function, CallStep):
                    callee = call.term.callee
                    name = (
                        callee.name
                        if isinstance(callee, Attr)
                        else callee.name.rpartition(".")[2]
                        if isinstance(callee, (Ref, Global))
                        else ""
                    )
                    if name in names and (name != _INIT or _is_of_super(callee)):
                        self._sites.setdefault(name, []).append((module, function, call.term))
        every = (cls.cls.name, *(each.cls.name for each in self.program.derived(cls)), _INIT)
        for name in dict.fromkeys(every):
            yield from self._sites.get(name, ())


def _is_of_super(callee: Term) -> bool:
    """Whether what is called is a method of ``super()``."""
    return isinstance(callee, Attr) and is_super(callee.base)
