"""Models that are chosen by name: classes in a table, of which a training loop gets whichever its configuration names.

``@register_model("small")`` above a class puts it there; the trainer in another file sees a model and no class. If nothing
else says what the model of a loop on XLA is, each class of such a table may be it, and its ``forward`` runs on the device.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.grad_mode import OFF, GradMode
from trainlint.domains.xla.tensors import Tensors
from trainlint.finding import Spot
from trainlint.ir.bindings import carried_by
from trainlint.ir.nodes import Attr, Call, Const, Element, LoopPhi, Param, Ref, Self, Subscript, Term
from trainlint.ir.sketch import Class, Function
from trainlint.ir.terms import is_none
from trainlint.program.call_graph import last_name
from trainlint.program.indirect_calls import registering_functions
from trainlint.program.loops import Loops
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance


class Registered(NamedTuple):
    """A class of modules that is put into a table: its ``forward``, on its own, and where the class begins."""

    forward: Context
    spot: Spot


def registered_modules(program: Program) -> Iterator[Registered]:
    """The classes of modules, with modules of their own, that a decorator of the project puts into a table under a name."""
    asked = program.ask(Loops)
    for path, cls, forward in _in_tables(program):
        is_module = asked.library(Instance(path, cls), "module") is not None and _is_trained(program, path, forward)
        if is_module and _has_parts(program, ClassValue(path, cls), forward):
            yield Registered(program.frame(path, forward), cls.spot)


def registered_losses(program: Program) -> Iterator[Registered]:
    """The classes in such tables whose ``forward`` runs a model that it is handed, and returns something of its results."""
    for path, cls, forward in _in_tables(program):
        own = forward.qualname
        called = (node.term.callee for node in calls_of(forward))
        runs = any(
            isinstance(callee, Param) and callee.function == own and callee.name not in forward.defaults for callee in called
        )
        if runs and _is_trained(program, path, forward):
            yield Registered(program.frame(path, forward), cls.spot)


def _in_tables(program: Program) -> Iterator[tuple[str, Class, Function]]:
    """The classes that a decorator puts into a table, each with its own ``forward``."""
    for path, module in program.modules.items():
        for cls in module.classes.values():
            if not any(_has_name(decorator) for decorator in cls.decorators):
                continue
            forward = program.method(ClassValue(path, cls), "forward")
            if forward is None or forward[0] != path or forward[1].cls != cls.qualname:
                continue
            if _is_put_away(program, path, cls):
                yield path, cls, forward[1]


def _has_parts(program: Program, cls: ClassValue, forward: Function) -> bool:
    """Whether a ``forward`` runs parts of its object, ``self.encoder(x)``, as a model does; a loss only computes."""
    parts = (_part(node.term.callee) for node in calls_of(forward))
    return any(name is not None and program.method(cls, name) is None for name in parts)


def _part(callee: Term) -> str | None:
    """The attribute of ``self.encoder``, ``self.layers[0]``, one of ``self.layers``; None for other terms."""
    while isinstance(callee, (Subscript, Element)):
        callee = callee.stem
    return callee.name if isinstance(callee, Attr) and isinstance(callee.base, Self) else None


def _is_trained(program: Program, path: str, forward: Function) -> bool:
    """Whether what a ``forward`` returns may hold a graph: without one nobody trains through it."""
    if program.ask(GradMode).of_function(path, forward) == OFF:
        return False
    returned = program.returns(forward)
    return not returned or not all(_is_cut(program, term) for term in returned)


def _is_cut(program: Program, term: Term) -> bool:
    """Whether a method ends the graph of what is returned: ``out.detach().squeeze()``."""
    while isinstance(term, Call) and isinstance(term.callee, Attr):
        if term.callee.name in program.knowledge.cuts_graph:
            return True
        term = term.callee.base
    return False


def _has_name(decorator: Term) -> bool:
    """``@register("small")``: a call that is told a name."""
    return bool(
        isinstance(decorator, Call)
        and decorator.args
        and isinstance(decorator.args[0], Const)
        and decorator.args[0].type == "str"
    )


def _is_put_away(program: Program, path: str, cls: Class) -> bool:
    """Whether a decorator sets an item of something that was there before to the class that it is given."""
    top = program.frame(path, program.modules[path].functions["<module>"])
    for decorator in cls.decorators:
        for value in program.values(decorator.callee, top) if isinstance(decorator, Call) and _has_name(decorator) else ():
            if isinstance(value, FunctionValue) and value.function in registering_functions(program.modules[value.module]):
                return True
    return False


class Supposed(Tensors):
    """Questions about tensors, where a module's ``forward`` is supposed to run on the device: what it is given lies there.

    A parameter with a default other than None is a setting; the results of the module's own parts are tensors.
    """

    def __init__(self, program: Program, forward: Context) -> None:
        super().__init__(program)
        self.forward = forward

    def _on_device(self, term: Term, frame: Context) -> bool:
        if isinstance(term, Param) and frame is self.forward and term.function == frame.function.qualname:
            default = frame.function.defaults.get(term.name)
            return default is None or is_none(default)
        if isinstance(term, LoopPhi):
            carried = carried_by(frame.function, term)
            return carried is not None and self.on_device(carried.entry, frame)
        return super()._on_device(term, frame)

    def _result(self, call: Call, frame: Context) -> bool:
        if super()._result(call, frame):
            return True
        runs = self._words.get(last_name(call.callee) or "") == "runs" and isinstance(call.callee, (Ref, Attr))
        if not (runs or _part(call.callee) is not None) or (self.targets(call, frame) and not self._runs_part(call, frame)):
            return False
        given = (*call.args, *(value for _, value in call.kwargs))
        return any(self.on_device(argument, frame) for argument in given)

    def _runs_part(self, call: Call, frame: Context) -> bool:
        """Whether a call runs another module, not a method of this one."""
        return all(target.function.name == "forward" for target in self.targets(call, frame))
