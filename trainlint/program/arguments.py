"""What a function is given: by the call that runs it, and where no call in sight names it.

Keywords from ``**kwargs``, and what constructors are given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainlint.ir.nodes import Attr, Call, Const, Global, Kwargs, Ref, Term, Unknown
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import is_super
from trainlint.ir.walk import of_kind
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance

if TYPE_CHECKING:
    from trainlint.program.program import Program


def activation(target: FunctionValue, call: Call, caller: Context, alone: Context) -> Context:
    """The activation of a function that one call of it begins; ``alone`` is the function on its own."""
    function = target.function
    parameters = function.parameters
    skip = 1 if function.kind in ("method", "property", "classmethod") else 0
    frame = Context(
        target.module,
        function,
        receiver=target.receiver if function.kind != "static" else None,
        closure=target.closure or alone.closure,
        depth=caller.depth + 1,
        caller=caller,
        call=call,
        alone=alone,
    )
    if skip and target.receiver is None:
        frame.receiver = alone.receiver
        skip = 0  # called through the class: the instance is the first argument
    passes = [(call.args, call.kwargs, caller)]
    if target.given is not None:  # ``partial(function, first)(second)``
        made = target.given.term
        assert isinstance(made, Call)
        passes.insert(0, (made.args[1:], made.kwargs, target.given.frame))
    _pass_in_order([(argument, at) for given, _, at in passes for argument in given], skip, frame)
    named = [(name, argument, at) for _, pairs, at in passes for name, argument in pairs]
    for name, argument, at in named:
        if name in parameters:
            frame.arguments[name] = Argument(argument, at)
        elif name is not None:
            frame.surplus = {**frame.surplus, name: Argument(argument, at)}
    frame.open = False
    for name, argument, at in named:
        if name is None:
            _pass_on(argument, at, frame)
    return frame


def _pass_in_order(given: list[tuple[Term, Context]], skip: int, frame: Context) -> None:
    """Positional arguments, each with the activation that passes it; ``*args`` hands on what that was given itself."""
    parameters = frame.function.parameters[skip : frame.function.positional]
    passed: list[Argument] = []
    known = True
    for argument, caller in given:
        if not isinstance(argument, Unknown):
            passed.append(Argument(argument, caller))
        elif not caller.function.is_rest(argument):
            passed.append(Argument(argument, caller))
            known = False  # perhaps several
        elif caller.rest is not None:
            passed += caller.rest
        else:
            known = False
            break
    for parameter, bound in zip(parameters, passed, strict=False):
        frame.arguments[parameter] = bound
    if known:
        frame.rest = tuple(passed[len(parameters) :])


def _pass_on(argument: Term, caller: Context, frame: Context) -> None:
    """``f(**kwargs)``: what the caller was given and did not name goes on."""
    holder = caller.holder(argument.function) if isinstance(argument, Kwargs) else None
    if holder is None or holder.open:
        frame.open = True
        return
    for name, bound in holder.surplus.items():
        if name in frame.function.parameters:
            frame.arguments.setdefault(name, bound)
        elif name not in frame.surplus:
            frame.surplus = {**frame.surplus, name: bound}


_TAKES = ("pop", "get")


class KwargsValue(NamedTuple):
    """What is taken: the argument that was passed, else the default (None: there is none given)."""

    passed: Argument | None
    default: Term | None


def kwargs_lookup(call: Call, frame: Context) -> KwargsValue | None:
    """What a call like ``kwargs.get("x", default)`` gives; None when it is no such call or the content is not known."""
    callee = call.callee
    if (
        not isinstance(callee, Attr)
        or callee.name not in _TAKES
        or not isinstance(callee.base, Kwargs)
        or not call.args
        or not isinstance(call.args[0], Const)
    ):
        return None
    holder = frame.holder(callee.base.function)
    if holder is None or holder.open:
        return None
    return KwargsValue(holder.surplus.get(call.args[0].value), call.args[1] if len(call.args) > 1 else None)


def kwargs_holds(container: Term, key: Term, frame: Context) -> bool | None:
    """Whether ``key in kwargs``; None when that is not known."""
    if not isinstance(container, Kwargs) or not isinstance(key, Const):
        return None
    holder = frame.holder(container.function)
    return None if holder is None or holder.open else key.value in holder.surplus


def kwargs_item(container: Kwargs, key: Term, frame: Context) -> Argument | None:
    """What was passed that ``kwargs["x"]`` gives; None when that is not known."""
    if not isinstance(key, Const):
        return None
    holder = frame.holder(container.function)
    return None if holder is None or holder.open else holder.surplus.get(key.value)


_MOST = 8  # calls; a class that is made in more places says little by each
_INIT = "__init__"


class ConstructorArguments:
    """The constructor calls of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._sites: dict[str, list[tuple[str, Function, Call]]] | None = None
        self._passed: dict[tuple[int, str], list[Argument]] = {}

    def passed(self, cls: ClassValue, function: Function, name: str) -> list[Argument]:
        """What is passed for a parameter of a class's ``__init__``, by each call in sight that says so; tests do not count."""
        key = (id(function), name)
        known = self._passed.get(key)
        if known is None:
            self._passed[key] = []  # of a class that is given its own objects
            found = (frame.arguments.get(name) for frame in self._entered(cls, function))
            known = self._passed[key] = [each for each in found if isinstance(each, Argument)][:_MOST]
        return known

    def _entered(self, cls: ClassValue, function: Function) -> Iterator[Context]:
        """The activations of a class's ``__init__`` that the calls in sight make, whoever runs these."""
        from trainlint.program.software_tests import tests_software

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

    def _target(self, call: Call, frame: Context, function: Function) -> FunctionValue | None:
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
