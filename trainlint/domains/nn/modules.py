"""Which classes of the project are modules, with weights and a training mode, and which models have buffers.

Buffers are what a model keeps beside its parameters, such as the running mean of a batch norm.
"""

from __future__ import annotations

from trainlint.ir.nodes import Attr, Call, Const, Element, Param, Self, Term
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import functions_run
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved, Value


def is_module(program: Program, value: ClassValue | Instance) -> bool:
    """Whether a class is derived from a module of a library (table ``modules``), as far as its bases are in sight."""
    cls = ClassValue(value.module, value.cls)
    return any(isinstance(each, Library) and each.name in program.knowledge.module_bases for each in program.lineage(cls))


def is_no_module(program: Program, value: ClassValue | Instance) -> bool:
    """Whether a class surely makes no modules: all it is derived from is in sight, or nothing of the kind (``plain_bases``)."""
    for each in program.lineage(ClassValue(value.module, value.cls)):
        if isinstance(each, Library):
            if each.name not in program.knowledge.plain_bases:
                return False
        elif len(program.bases(each)) < len(each.cls.bases):
            return False
    return True


def of_module(program: Program, path: str, function: Function) -> bool:
    """Whether a function is a method of such a class."""
    cls = program.modules[path].classes.get(function.cls or "")
    return cls is not None and is_module(program, ClassValue(path, cls))


def runs_layers(program: Program, about: tuple[str, Function]) -> bool:
    """Whether a method runs the module it belongs to, or modules that this holds, itself or in what it calls."""
    return any(
        _runs_itself(program, node.term.callee)
        or (isinstance(node.term.callee, Attr) and _is_layer(program, node.term.callee, path, each))
        for path, each in functions_run(program, about)
        if of_module(program, path, each)
        for node in calls_of(each)
    )


def runs_what_it_holds(program: Program, about: tuple[str, Function]) -> bool:
    """Whether a method of a module does so, or calls what its object holds and nobody knows: a model of a library, perhaps."""
    return program.ask_of(runs_layers, about) or any(
        isinstance(callee, Attr)
        and isinstance(callee.base, Self)
        and not any(isinstance(each, (FunctionValue, ClassValue)) for each in program.values(callee, program.frame(path, method)))
        for path, method in functions_run(program, about)
        if of_module(program, path, method)
        for callee in (node.term.callee for node in calls_of(method))
    )


def goes_over(program: Program, about: tuple[str, Function]) -> bool:
    """Whether a method runs its module on one thing after the other of those that it is given: an epoch of its own."""
    return of_module(program, *about) and any(
        _runs_itself(program, node.term.callee)
        and any(isinstance(part, Element) and part.of is loop.subject for part in parts_of(*node.term.args))
        for loop in of_kind(about[1], Loop)
        if any(isinstance(part, Param) for part in parts_of(loop.subject))
        for node in walk(loop.body)
        if isinstance(node, CallStep)
    )


def methods_run(program: Program, call: Call, frame: Context) -> list[FunctionValue]:
    """What a call runs; of an object of which nobody knows what it is, the methods of modules that go by the name."""
    targets = program.ask(CallGraph).targets(call, frame)
    found = [each for each in targets if isinstance(each, FunctionValue)]
    if targets or not isinstance(call.callee, Attr):
        return found
    if not all(isinstance(each, Unresolved) for each in program.values(call.callee.base, frame)):
        return found
    named = program.ask(_methods).get(call.callee.name, ())
    return [FunctionValue(path, each) for path, each in named if of_module(program, path, each)]


def _methods(program: Program) -> dict[str, list[tuple[str, Function]]]:
    """The methods of all classes, by their names."""
    found: dict[str, list[tuple[str, Function]]] = {}
    for path, function in program.functions():
        if function.cls is not None:
            found.setdefault(function.name, []).append((path, function))
    return found


def _runs_itself(program: Program, callee: Term) -> bool:
    """``self(x)``, or ``self.forward(x)``, also where only classes that are derived say what that is."""
    own = callee.base if isinstance(callee, Attr) and callee.name in program.knowledge.runs_model else callee
    return isinstance(own, Self)


def _is_layer(program: Program, held: Attr, path: str, function: Function) -> bool:
    """Whether an attribute that a method calls is a module."""
    layers = program.knowledge.written["layers"]
    return any(
        is_module(program, each)
        if isinstance(each, Instance)
        else isinstance(each, LibraryObject) and each.name.startswith(layers)
        for each in program.values(held, program.frame(path, function))
    )


def model_of(program: Program, call: Call) -> Term:
    """What runs in a call of a model: ``net`` in ``net(x)`` and in ``net.forward(x)``."""
    callee: Term = call.callee
    return callee.base if isinstance(callee, Attr) and callee.name in program.knowledge.runs_model else callee


class Buffers:
    """Answers for one program. "No" means that none was seen."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index: CallGraph = program.ask(CallGraph)

    def held(self, model: Term, frame: Context) -> bool:
        """Whether a model, or what it wraps, is seen to have buffers that are sent."""
        return self._all(model, frame)

    @remembered(False)
    def _all(self, term: Term, frame: Context) -> bool:
        """Whether whatever a term may be has buffers: a factory of many models may make one that has none."""
        return self._all_of(self.program.values(term, frame))

    def _all_of(self, values: tuple[Value, ...]) -> bool:
        return bool(values) and all(self._of_value(value) for value in values)

    def _of_value(self, value: Value) -> bool:
        if isinstance(value, Instance):
            return self._of_class(ClassValue(value.module, value.cls))
        if isinstance(value, Unresolved):
            term = value.term
            if (
                not isinstance(term, Call)
                or not isinstance(term.callee, Attr)
                or term.callee.name not in self.program.knowledge.fluent
            ):
                return False
            return self._all(term.callee.base, value.frame)
        if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
            return False
        knowledge = self.program.knowledge
        if self._known(value.name):
            return True
        call = value.call
        switch = knowledge.without_buffers.get(value.name)
        if switch is not None and any(
            name == switch and not (isinstance(given, Const) and given.value is True) for name, given in call.kwargs
        ):
            return False
        inner = call.callee.base if isinstance(call.callee, Attr) and call.callee.name in knowledge.fluent else None
        wrapped = [inner] if inner is not None else list(call.args)
        wrapped += [given for name, given in call.kwargs if name == "module"]
        return any(self._all(part, value.frame) for part in wrapped)

    def _known(self, name: str) -> bool:
        return name in self.program.knowledge.buffered or name.rpartition(".")[0] in self.program.knowledge.buffered

    @remembered(False)
    def _of_class(self, cls: ClassValue) -> bool:
        """Whether the constructor of a class, or what it calls and makes, makes a buffer or a layer with one."""
        start = self.program.method(cls, "__init__")
        for module, function in functions_run(self.program, start) if start is not None else ():
            frame = self.program.frame(module, function)
            for node in calls_of(function):
                callee = node.term.callee
                if isinstance(callee, Attr) and callee.name in self.program.knowledge.buffer_makers:
                    return True
                targets = self.index.targets(node.term, frame)
                if any(isinstance(target, Library) and self._known(target.name) for target in targets):
                    return True
        return False
