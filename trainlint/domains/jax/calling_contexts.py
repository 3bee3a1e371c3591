"""Calling contexts in traces of JAX: every one of a function that runs there, with what is traced in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from trainlint.domains.jax.binding_times import TRACED, Parameters
from trainlint.domains.jax.tracers import Fields, Tracers, Words
from trainlint.domains.traced.functions import Root, Roots
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Compare, Const, Global, Or, Param, Ref, Select, Term
from trainlint.ir.sketch import CallStep, Choice, Function, If, Loop, Statement, Try, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import Entered, Region, hides_nothing, reachable
from trainlint.program.consteval import truth
from trainlint.program.memo import relieve
from trainlint.program.origins import reaching_definition
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Value

_STAGED = frozenset(("jit", "pmap", "shard_map", "remat", "loop", "branch"))
#: What runs a function where it stands: within a trace with traced values, whether it traces it or not.
_RUN_HERE = ("loop", "branch", "eager")
_IDENTITY = ("Is", "IsNot")
#: What compiles for each value of an argument that is static.
STATIC_FOR = ("jit", "pmap")


class Activation(NamedTuple):
    """A function in a trace: its frame, what is traced (``tracers``), and the root of the trace; None for a method of a model.

    ``root.word`` is "grad" where nothing compiles: there, values have numbers that Python may ask for in a test.
    ``by`` is the call that runs it, ``before`` the activation with that call.
    """

    module: str
    function: Function
    frame: Context
    tracers: Tracers
    root: Root | None
    by: CallStep | None = None
    before: Activation | None = None

    @property
    def branches(self) -> bool:
        """Whether a test of a traced value fails here: under all but ``grad`` alone."""
        return self.root is None or self.root.word != "grad"

    def way_root(self) -> Root | None:
        """What traces the function at which the way begins."""
        step = self
        while step.before is not None:
            step = step.before
        return step.root

    def way(self) -> list[tuple[str, Spot]]:
        """Where the trace begins, and the calls that lead here, each with its file."""
        found: list[tuple[str, Spot]] = []
        step: Activation | None = self
        while step is not None:
            if step.before is not None and step.by is not None:
                found.append((step.before.module, step.by.term.site))
            elif step.root is not None:
                found.append((step.root.frame.module, step.root.spot))
            step = step.before
        return found[::-1]


class Running(NamedTuple):
    """What may run in an activation: the statements, and the branches without anything in them."""

    statements: list[Statement]
    idle: list[Choice]


class Activations:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.fields = Fields(program)
        self.parameters = program.ask(Parameters)
        self.words = Words(program, self.fields)
        tables = program.knowledge.tables
        self._guards = frozenset(tables["tracers.guards"]["names"])
        self._applied = frozenset(tables["tracers.applied"]["names"])
        self._beside: list[str] = tables["tracers.beside"]["names"]
        self._running: dict[Context, Running] = {}
        self._found: list[Activation] | None = None

    def all(self) -> Iterator[Activation]:
        """All of them, those that are traced directly first."""
        if self._found is None:
            self._found = []
            seen: set[object] = set()
            queue = list(self._begin())
            for step in queue:
                key = self._key(step)
                if key in seen:
                    continue
                seen.add(key)
                self._found.append(step)
                queue += self._called(step)
                relieve(self.program)
        for step in self._found:
            relieve(self.program)
            yield step

    def begun(self) -> set[Context]:
        """The activations that nobody calls."""
        return {step.frame for step in self._found or () if step.frame.caller is None}

    def _key(self, step: Activation) -> object:
        frame = step.frame
        levels = tuple(step.tracers.level(Param.new(step.function.qualname, name), frame) for name in step.function.parameters)
        closure = frame.closure if frame.closure is not None and frame.closure.function.kind != "module" else None
        made = frame.receiver if not any(each in TRACED for each in levels) and is_made_in(frame.receiver, frame) else None
        return (id(step.function), levels, id(closure), step.branches, step.tracers.staged, made)

    # -- where it begins ---------------------------------------------------------------------------------------------

    def _begin(self) -> Iterator[Activation]:
        staged = [root for each in self.program.ask(Roots).all().values() for root in each if root.word in _STAGED]
        mapped = [root for each in self.program.ask(Roots).all().values() for root in each if root.word in ("vmap", "grad")]
        for root in (*staged, *mapped):
            target = root.target
            levels = self.parameters.levels(root)
            if levels is None or target.function.generator or self._is_test(target, root):
                continue
            alone = self.program.frame(target.module, target.function)
            frame = Context(
                target.module,
                target.function,
                receiver=target.receiver or alone.receiver,
                closure=target.closure or alone.closure,
            )
            frame.arguments.update({**self.parameters.handed(root), **self.parameters.filled(target)})
            tracers = Tracers(self.program, self.parameters, self.words, staged=root.word in _STAGED)
            tracers.say(frame, levels)
            yield Activation(target.module, target.function, frame, tracers, root)
        yield from self._models()

    def _is_test(self, target: FunctionValue, root: Root) -> bool:
        places = ((target.module, target.function), (root.frame.module, root.frame.function))
        return any(tests_software(self.program, module, function) for module, function in places)

    def _models(self) -> Iterator[Activation]:
        """Methods of models that are called with arrays, as their annotations say."""
        for module, sketch in self.program.modules.items():
            for cls in sketch.classes.values():
                method = sketch.functions.get(cls.methods.get("__call__", ""))
                if method is None or not method.annotations or not self.fields.is_model(ClassValue(module, cls)):
                    continue
                said = [(name, self.parameters.annotated(module, method, name)) for name in method.parameters]
                if all(level is None for _, level in said) or tests_software(self.program, module, method):
                    continue
                alone = self.program.frame(module, method)
                frame = Context(module, method, receiver=alone.receiver, closure=alone.closure)
                tracers = Tracers(self.program, self.parameters, self.words, staged=False)
                tracers.say(frame, said)
                yield Activation(module, method, frame, tracers, None)

    # -- what is called ----------------------------------------------------------------------------------------------

    def _called(self, step: Activation) -> Iterator[Activation]:
        for node in self.running(step.frame).statements:
            if isinstance(node, CallStep):
                for target, frame in self._targets(node.term, step):
                    if self._holds_traced(target, frame, step.tracers):
                        yield Activation(target.module, target.function, frame, step.tracers, step.root, node, step)

    def _targets(self, call: Call, step: Activation) -> Iterator[tuple[FunctionValue, Context]]:
        yield from step.tracers.entered(call, step.frame)
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self._applied and call.args:
            yield from self._model_applied(call, step)
        for value in self.program.values(callee, step.frame):
            if not isinstance(value, Library):
                continue
            word = self.program.ask(Roots).word(value)
            if word in _RUN_HERE:
                for target in self.program.ask(Roots).inner(LibraryObject(value.name, call, step.frame)):
                    yield from self._looped(target, value.name, step)
        yield from step.tracers.mapped(call, step.frame)

    def _model_applied(self, call: Call, step: Activation) -> Iterator[tuple[FunctionValue, Context]]:
        """``model.apply(variables, x)`` runs the model with ``x``."""
        callee = call.callee
        if not isinstance(callee, Attr) or any(name in self._beside for name, _ in call.kwargs):
            return  # another method
        inner = Call.new(callee.base, call.args[1:], call.kwargs, call.site)
        for value in self.program.values(callee.base, step.frame):
            if isinstance(value, Instance) and self.fields.is_model(value):
                for target in self.fields.called(value):
                    if step.frame.follows(target.function):
                        yield target, self.program.enter(target, inner, step.frame)

    def _looped(self, target: FunctionValue, name: str, step: Activation) -> Iterator[tuple[FunctionValue, Context]]:
        """A function that the library runs with traced values."""
        if not step.frame.follows(target.function):
            return
        alone = self.program.frame(target.module, target.function)
        closure = target.closure or alone.closure
        receiver = target.receiver or alone.receiver
        depth = step.frame.depth + 1
        frame = Context(target.module, target.function, receiver=receiver, closure=closure, depth=depth, caller=step.frame)
        root = Root(target, "loop", name, None, step.frame, target.function.spot)
        frame.arguments.update(self.parameters.filled(target))
        levels = self.parameters.levels(root)
        if levels is not None:
            step.tracers.say(frame, levels)
            yield target, frame

    def _holds_traced(self, target: FunctionValue, frame: Context, tracers: Tracers) -> bool:
        function = target.function
        if any(tracers.level(Param.new(function.qualname, name), frame) in TRACED for name in function.parameters):
            return True
        if any(is_made_in(each, frame) for each in self._objects(function, frame)):
            return True  # in it there may be something traced
        return frame.closure is not None and frame.closure.function.kind != "module"  # it sees what the function around it has

    def _objects(self, function: Function, frame: Context) -> Iterator[Value]:
        """The objects on which a function runs, and that it is handed."""
        if frame.receiver is not None:
            yield frame.receiver
        for name in function.parameters:
            yield from self.program.values(Param.new(function.qualname, name), frame)

    # -- what runs ---------------------------------------------------------------------------------------------------

    def running(self, frame: Context) -> Running:
        """What may run in an activation."""
        known = self._running.get(frame)
        if known is None:
            known = self._running[frame] = Running([], [])
            for node in reachable(frame.function.body, partial(self._entered, frame)):
                if isinstance(node, Choice):
                    known.idle.append(node)
                else:
                    known.statements.append(node)
        return known

    def _entered(self, frame: Context, node: Region | Choice) -> Entered | None:
        """What of a region may run in a trace: nothing that asks whether something is traced, nor where errors are caught."""
        if isinstance(node, Try):
            return Entered((node.body, node.orelse, node.final) if hides_nothing(node) else (node.final,), instead=True)
        if isinstance(node, With):
            return None if any(map(self._is_guarded, node.items)) else Entered((node.body,), instead=True)
        if isinstance(node, Loop):
            return Entered((node.body, node.orelse))
        if self._is_guarded(node.condition):
            return None
        known = truth(self.program, node.condition, frame)
        known = _is_given(node.condition, frame) if known is None else known
        if known is not None:
            return Entered((node.body if known else node.orelse,), instead=True)
        return Entered((node.body, node.orelse)) if isinstance(node, If) or node.asks else None

    def _is_guarded(self, term: Term) -> bool:
        """Whether a test asks if something is traced, or a context manager asks for concrete values."""
        for part in parts_of(term):
            name = part.name if isinstance(part, (Ref, Global, Attr)) else None
            if isinstance(name, str) and name.rpartition(".")[2].lower().strip("_") in self._guards:
                return True
        return False


def is_made_in(value: Value | None, frame: Context) -> bool:
    """Whether something is an object of the project that one of the activations that led here constructed."""
    return isinstance(value, Instance) and value.frame is not None and any(each is value.frame for each in frame.active())


def _is_given(test: Term, frame: Context) -> bool | None:
    """What ``x is None`` says of a parameter for which something is given: nobody hands on a None by an expression."""
    if (
        not isinstance(test, Compare)
        or test.op not in _IDENTITY
        or not isinstance(test.left, Param)
        or not isinstance(test.right, Const)
        or test.right.value is not None
    ):
        return None
    bound = frame.given(test.left)
    if not isinstance(bound, Argument) or isinstance(bound.term, (Const, Select, Or)):
        return None
    return bool(test.op == _IDENTITY[1])


def origin(program: Program, term: Term, frame: Context) -> str | None:
    """The parameter of the function where a trace begins that a term is, handed on from call to call, or in an object."""
    while True:
        given = Argument(term, frame) if isinstance(term, Param) else reaching_definition(program, term, frame)
        parameter = given.term
        holder = given.frame.holder(parameter.function) if isinstance(parameter, Param) else None
        if not isinstance(parameter, Param) or holder is None:
            return None
        if holder.caller is None:
            return parameter.name
        bound = holder.arguments.get(parameter.name)
        if not isinstance(bound, Argument):
            return None
        term, frame = bound


def reasons(activation: Activation) -> Iterator[tuple[str, Spot, str]]:
    """Where the trace begins, and how it comes here: file, place, sentence."""
    root = activation.way_root()
    for index, (module, spot) in enumerate(activation.way()):
        yield module, spot, "this traces the function" if index == 0 and root is not None else "through this call"


__all__ = ["STATIC_FOR", "Activation", "Activations", "Running", "is_made_in", "origin", "reasons"]
