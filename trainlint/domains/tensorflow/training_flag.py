"""The training flag: models of Keras that depend on it, and calls that train one without saying so.

Models of Keras that do something else in training: they drop, or normalise by the batch.

A model is asked for by a value: one that is made of inputs and outputs, a sequence of layers, or an object of a
class of the project. What is not in sight (a loaded model, one of a library) is none, and so is a layer that is
told its mode where it is applied.

Calls by which a loop of one's own trains a model of Keras without saying that it trains: such a call is inference.

Only ``fit`` without a ``train_step`` says it for the program. Inside of a layer's ``call`` the mode of the
outermost call holds.

And calls that evaluate a model with ``training=True``: in what Keras runs to evaluate (``test_step``), or in what is
called so and differentiates nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.domains.tensorflow.gradient_tapes import Gradient, applied, gradients
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Global, List, LoopPhi, Param, Ref, Self, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import CallStep, Function, Store, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, last_name, methods_of
from trainlint.program.callables import partial_of
from trainlint.program.contexts import calling_contexts
from trainlint.program.environment import defaults_of
from trainlint.program.loops import is_fixed
from trainlint.program.memo import remembered
from trainlint.program.naming import words_in
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved, Value

_TRAINING, _CALL, _ADD = "training", "call", "add"


class Moded:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        table = program.knowledge.tables["tensorflow"]
        self._layers = frozenset(table["moded_layers"])
        self._dropping = frozenset(table["drops_by"])
        self._bases = frozenset(table["model_bases"])
        self._models = frozenset(table["makes_model"])

    def is_model(self, value: Value) -> bool:
        """Whether a value is a model or layer of Keras whose inside is in sight."""
        if isinstance(value, LibraryObject):
            return value.name in self._models and value.call is not None
        return isinstance(value, Instance) and self.is_of_keras(ClassValue(value.module, value.cls))

    def is_of_keras(self, cls: ClassValue) -> bool:
        """Whether a class of the project is derived from a model or layer of Keras."""
        return any(isinstance(each, Library) and each.name in self._bases for each in self.program.lineage(cls))

    def has_modes(self, value: Value) -> bool:
        """Whether a model does something else in training."""
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            return value.name in self._models and self._made_with_modes(value.call, value.frame)
        return isinstance(value, Instance) and self._class_has_modes(ClassValue(value.module, value.cls))

    def _made_with_modes(self, call: Call, frame: Context) -> bool:
        given = [*call.args, *(value for _, value in call.kwargs)]
        for node in calls_of(frame.function):  # model.add(Dropout(0.5))
            if isinstance(node.term.callee, Attr) and node.term.callee.name == _ADD and node.term.callee.base is call:
                given += node.term.args
        seen: set[Term] = set()
        return any(self._term_has(term, frame, seen) for term in given)

    def _term_has(self, term: Term, frame: Context, seen: set[Term]) -> bool:
        """Whether something with modes was applied on the way to a value, or stands in a list."""
        pending = [term]
        while pending:
            part = pending.pop()
            if part in seen:
                continue
            seen.add(part)
            if isinstance(part, Call):
                if any(name in (_TRAINING, None) for name, _ in part.kwargs) and not isinstance(part.callee, Ref):
                    pending += part.args  # the layer itself is told its mode
                    continue
                if self._call_has(part, frame):
                    return True
            elif isinstance(part, LoopPhi):
                phi = frame.function.phis.get(part)
                pending += phi.looped if phi is not None else ()
            elif isinstance(part, (Param, Global)):
                values = self.program.values(part, frame)
                if any(self._value_has(value) for value in values):
                    return True
            pending += part.subterms()
        return False

    def _value_has(self, value: Value) -> bool:
        if isinstance(value, Unresolved) and isinstance(value.term, (Call, List)):
            return self._holds(value.term, value.frame)
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            return self._call_has(value.call, value.frame)
        return False

    @remembered(False)
    def _holds(self, term: Term, frame: Context) -> bool:
        return self._term_has(term, frame, set())

    @remembered(False)
    def _call_has(self, call: Call, frame: Context) -> bool:
        """Whether a call makes a layer with modes, applies one, or is of a function that returns what went through one."""
        for callee in self.program.values(call.callee, frame):
            if isinstance(callee, Library):
                if callee.name in self._layers or callee.name in self._dropping:
                    if self._drops(callee.name, call, frame):
                        return True
                elif callee.name in self._models and self._made_with_modes(call, frame):
                    return True
            elif isinstance(callee, FunctionValue) and frame.follows(callee.function):
                inner = self.program.enter(callee, call, frame)
                if any(self._term_has(value, inner, set()) for value in self.program.returns(callee.function)):
                    return True
            elif isinstance(callee, ClassValue) and self.is_of_keras(callee):
                if self._class_has_modes(callee):
                    return True
            elif (partial := partial_of(callee)) is not None:  # partial(BatchNormalization, momentum=0.9)
                if self._call_has(partial.applied, partial.frame):
                    return True
            elif isinstance(callee, (Instance, LibraryObject)) and self.is_model(callee) and self.has_modes(callee):
                return True
        return False

    def _drops(self, name: str, call: Call, frame: Context) -> bool:
        """Whether a layer that is made here does something in training: one that drops nothing does not."""
        if name not in self._dropping:
            named = dict(call.kwargs)
            rate = call.args[0] if call.args else next((named[each] for each in ("rate", "stddev") if each in named), None)
            return rate is None or not self._is_zero(rate, frame)
        given = next((value for keyword, value in call.kwargs if keyword == "dropout"), None)
        return given is not None and not self._is_zero(given, frame)

    def _is_zero(self, rate: Term, frame: Context) -> bool:
        """Whether a rate may be 0: written so, or by default, where somebody leads here."""
        if isinstance(rate, Param) and frame.caller is None:
            frames = calling_contexts(self.program, frame.module, frame.function)
            return any(each.caller is not None and self._is_zero(rate, each) for each in frames)
        for value in self.program.values(rate, frame):
            if isinstance(value, Unresolved) and isinstance(value.term, Const):
                if value.term.value:
                    return False
                continue
            name = value.name.rpartition(".")[2] if isinstance(value, Library) else None
            if isinstance(value, Unresolved) and isinstance(value.term, Attr):
                name = value.term.name
            if name is None or all(defaults_of(self.program, name, frame.module)):  # an option of the command line
                return False
        return True

    @remembered(False)
    def _class_has_modes(self, cls: ClassValue) -> bool:
        if not self.is_of_keras(cls) or self.program.method(cls, "__call__") is not None:
            return False
        call = self.program.method(cls, _CALL)
        if call is None or self.trains_by_default(call[1]):
            return False
        return any(self._keeps(module, method, call[1]) for module, method in methods_of(self.program, cls))

    def _keeps(self, module: str, function: Function, call: Function) -> bool:
        """Whether a method puts a layer with modes into its object that ``call`` does not tell its mode."""
        frame = self.program.frame(module, function)
        told = {
            node.term.callee.name
            for node in calls_of(call)
            if isinstance(node.term.callee, Attr)
            and any(name == _TRAINING and not _is_passed_on(value) for name, value in node.term.kwargs)
        }
        stores = [
            (node.target.name, node.value)
            for node in of_kind(function, Store)
            if isinstance(node.target, Attr) and isinstance(node.target.base, Self)
        ]
        if any(name not in told and self._term_has(value, frame, set()) for name, value in stores):
            return True
        added = [
            node.term
            for node in calls_of(function)
            if isinstance(node.term.callee, Attr) and node.term.callee.name in (_ADD, "append")
        ]
        return any(self._term_has(each, frame, set()) for term in added for each in term.args)

    def trains_by_default(self, call: Function) -> bool:
        """Whether ``call`` is in training mode unless it is told otherwise."""
        default = call.defaults.get(_TRAINING)
        return default is not None and not (isinstance(default, Const) and not default.value)


def _is_passed_on(flag: Term) -> bool:
    """Whether a mode is the one that Keras gives a ``call``: of its own parameters, or of its object, the program tells it."""
    return any(isinstance(part, Param) and part.name == _TRAINING for part in parts_of(flag))


_TRAINING_FLAG, _TRAINABLE = "training", "trainable"


class Unmoded(NamedTuple):
    """A call of a model in training that does not say so; ``position``: where the flag may stand among the arguments."""

    module: str
    node: CallStep
    gradient: Gradient
    position: int | None


def unmoded(program: Program) -> Iterator[Unmoded]:
    """Each such call under a tape whose gradients train the model."""
    asked = program.ask(Moded)
    switched = program.knowledge.tables["tensorflow"]["sets_mode"]
    sites = [site for name in switched for site in program.ask(CallGraph).sites.get(name, ())]
    seen: set[tuple[str, Spot]] = set()
    for gradient in program.ask(gradients):
        module, function = gradient.module, gradient.function
        if gradient.watched is None or gradient.sources is None or tests_software(program, module, function):
            continue
        if any(program.together(site.module, module) for site in sites) or not applied(program, gradient):
            continue
        for frame in calling_contexts(program, module, function):
            trained = _trained(program, gradient, frame)
            nodes = [node for node in walk(gradient.watched.body) if isinstance(node, CallStep)]
            around = next((each for each in frame.active() if gradient.watched in of_kind(each.function, With)), frame)
            for found in _calls(program, asked, nodes, around, trained):
                key = (found[0], found[1].term.site)
                if key not in seen:
                    seen.add(key)
                    yield Unmoded(found[0], found[1], gradient, found[2])


def _trained(program: Program, gradient: Gradient, frame: Context) -> list[Value]:
    """The models whose variables a tape differentiates for."""
    names = program.knowledge.tables["tensorflow"]["variables_of"]
    found: list[Value] = []
    assert gradient.sources is not None
    for part in parts_of(gradient.sources):
        if isinstance(part, Attr) and part.name in names:
            found += program.values(part.base, frame)
    return found


def _calls(
    program: Program, asked: Moded, nodes: list[CallStep], frame: Context, trained: list[Value]
) -> Iterator[tuple[str, CallStep, int | None]]:
    """The calls of trained models without a mode, among these and in the functions that these run."""
    for node in nodes:
        model = node.term.callee
        values = program.values(model, frame)
        models = [value for value in values if asked.is_model(value)]
        if models and len(models) == len(values):
            trains = all(_is_among(value, model, trained, frame) for value in models)
            plain = trains and all(_is_plain(program, asked, value, node.term, frame) for value in models)
            if plain and all(asked.has_modes(value) and not _is_frozen(program, frame.module, value) for value in models):
                yield frame.module, node, _position(program, models)
            continue
        for value in values:
            if not isinstance(value, FunctionValue) or value.function.generator or not frame.follows(value.function):
                continue
            if not _is_inside(program, asked, value):
                inner = program.enter(value, node.term, frame)
                yield from _calls(program, asked, list(calls_of(value.function)), inner, trained)


def _is_inside(program: Program, asked: Moded, value: FunctionValue) -> bool:
    """Whether a function is a layer's own ``call``: those it calls have its mode."""
    cls = program.modules[value.module].classes.get(value.function.cls or "")
    return cls is not None and value.function.name == "call" and asked.is_of_keras(ClassValue(value.module, cls))


def _is_among(value: Value, model: Term, trained: list[Value], frame: Context) -> bool:
    """Whether a model is one of those that are trained, or a part of one: what its ``train_step`` calls."""
    for each in trained:
        if isinstance(value, LibraryObject) and isinstance(each, LibraryObject) and value.call is each.call:
            if _made_by(value) is _made_by(each):
                return True  # not another one of the same kind, as a target network is
            continue
        if isinstance(each, Instance) and isinstance(value, Instance) and each.cls is value.cls and each.call is value.call:
            return True
        if isinstance(each, Instance) and isinstance(model, Attr) and isinstance(model.base, Self) and frame.owner() == each:
            return True
    return False


def _made_by(value: LibraryObject) -> Call | None:
    """The call of the function in which something is made."""
    return value.frame.call if value.frame is not None else None


def _is_plain(program: Program, asked: Moded, value: Value, call: Call, frame: Context) -> bool:
    """Whether a call of a model says nothing of its mode, and the model has no other than inference then."""
    given = program.ask(Options).given(call, frame, _TRAINING_FLAG, None)
    if not given.known or given.term is not None:
        return False
    position = _position(program, [value])
    if isinstance(value, Instance):
        method = program.method(ClassValue(value.module, value.cls), "call")
        if method is None or asked.trains_by_default(method[1]):
            return False
        return position is None or len(call.args) <= position
    return len(call.args) <= (position or 0)


def _position(program: Program, models: list[Value]) -> int | None:
    """Where the flag stands among the positional arguments of a call of a model."""
    for value in models:
        if isinstance(value, Instance):
            method = program.method(ClassValue(value.module, value.cls), "call")
            names = method[1].parameters[1 : method[1].positional] if method is not None else ()
            return names.index(_TRAINING_FLAG) if _TRAINING_FLAG in names else None
    return 1


def _is_frozen(program: Program, module: str, model: Value) -> bool:
    """Whether something sets ``trainable`` of a model: it is meant to stay as it is."""
    return any(_is_same(value, model) for value in program.ask_of(_frozen, program.component(module)))


def _frozen(program: Program, component: str) -> list[Value]:
    """That of which the files of a component set ``trainable``."""
    return [
        value
        for path, sketch in program.modules.items()
        if program.component(path) == component
        for function in sketch.functions.values()
        for node in of_kind(function, Store)
        if isinstance(node.target, Attr) and node.target.name == _TRAINABLE
        for value in program.values(node.target.base, program.frame(path, function))
    ]


def _is_same(one: Value, other: Value) -> bool:
    if isinstance(one, LibraryObject) and isinstance(other, LibraryObject):
        return one.call is other.call
    return isinstance(one, Instance) and isinstance(other, Instance) and one.cls is other.cls


class Evaluated(NamedTuple):
    """A call that evaluates a model in training mode; ``sure``: Keras runs it for that, and the model has modes."""

    module: str
    node: CallStep
    sure: bool


def evaluated_in_training(program: Program) -> Iterator[Evaluated]:
    """Each such call.

    Not among several draws of one input, of which people take the mean (Monte Carlo dropout), nor where the name of the function
    says that it trains, too.
    """
    trains = {id(each.function) for each in program.ask(gradients)}
    words, steps = program.knowledge.evaluation_words, program.knowledge.tables["tensorflow"]["evaluates_in"]
    asked = program.ask(Moded)
    for module, function in program.functions():
        if id(function) in trains or tests_software(program, module, function):
            continue
        around = list(_around(program, module, function))
        named = {word for each in around for word in words_in(each.name)}
        if words.isdisjoint(named) or _TRAINS in named or any(id(each) in trains for each in around):
            continue
        for node in calls_of(function):
            flag = dict(node.term.kwargs).get(_TRAINING)
            if not isinstance(flag, Const) or flag.value is not True or _is_drawn_again(function, node):
                continue
            frame = program.frame(module, function)
            models = [value for value in program.values(node.term.callee, frame) if asked.is_model(value)]
            owner = frame.owner()
            of_keras = isinstance(owner, Instance) and asked.is_of_keras(ClassValue(owner.module, owner.cls))
            step = function.name in steps and of_keras
            if not models and not step and not _is_trained(program, trains, node.term.callee):
                continue
            yield Evaluated(module, node, step and any(asked.has_modes(value) for value in models))


_TRAINS = "train"


def _around(program: Program, module: str, function: Function) -> Iterator[Function]:
    """A function and those in which it is defined."""
    each: Function | None = function
    while each is not None and each.kind != "module":
        yield each
        each = program.modules[module].functions.get(each.outer or "")


def _is_drawn_again(function: Function, node: CallStep) -> bool:
    """Whether a loop calls a model with the same inputs again and again."""
    return any(all(is_fixed(given, function, loop) for given in node.term.args) for loop in loops_around(function, node))


def _is_trained(program: Program, trains: set[int], model: Term) -> bool:
    """Whether a function that differentiates calls, by the same name, what is called here with a mode, too."""
    return any(
        id(site.function) in trains and site.call.term.callee is model and _TRAINING in dict(site.call.term.kwargs)
        for site in program.ask(CallGraph).sites_named(last_name(model) or "")
    )
