"""Calls by which a loop of one's own trains a model of Keras without saying that it trains: such a call is inference.

Only ``fit`` without a ``train_step`` says it for the program. Inside of a layer's ``call`` the mode of the outermost call holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.moded import Moded
from trainlint.facts.tensorflow.tapes import Gradient, applied, gradients
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Self, Term
from trainlint.ir.sketch import CallStep, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk

_TRAINING, _TRAINABLE = "training", "trainable"
_DEEPEST = 2


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
        for frame in activations(program, module, function):
            trained = _trained(program, gradient, frame)
            nodes = [node for node in walk(gradient.watched.body) if isinstance(node, CallStep)]
            for found in _calls(program, asked, nodes, frame, trained, 0):
                key = (found[0], found[1].term.site)
                if key not in seen:
                    seen.add(key)
                    yield Unmoded(found[0], found[1], gradient, found[2])


def _trained(program: Program, gradient: Gradient, frame: Frame) -> list[Value]:
    """The models whose variables a tape differentiates for."""
    names = program.knowledge.tables["tensorflow"]["variables_of"]
    found: list[Value] = []
    assert gradient.sources is not None
    for part in parts_of(gradient.sources):
        if isinstance(part, Attr) and part.name in names:
            found += program.values(part.base, frame)
    return found


def _calls(
    program: Program, asked: Moded, nodes: list[CallStep], frame: Frame, trained: list[Value], depth: int
) -> Iterator[tuple[str, CallStep, int | None]]:
    """The calls of trained models without a mode, among these and in the functions that these run."""
    for node in nodes:
        model = node.term.callee
        values = program.values(model, frame)
        models = [value for value in values if asked.is_model(value)]
        if models and len(models) == len(values):
            trains = all(_is_among(value, model, trained, frame) for value in models)
            plain = trains and all(_is_plain(program, asked, value, node.term) for value in models)
            if plain and all(asked.has_modes(value) and not _is_frozen(program, frame.module, value) for value in models):
                yield frame.module, node, _position(program, models)
            continue
        for value in values if depth < _DEEPEST else ():
            if not isinstance(value, FunctionValue) or value.function.generator or frame.runs(value.function):
                continue
            if not _is_inside(program, asked, value):
                inner = program.enter(value, node.term, frame)
                yield from _calls(program, asked, list(calls_of(value.function)), inner, trained, depth + 1)


def _is_inside(program: Program, asked: Moded, value: FunctionValue) -> bool:
    """Whether a function is a layer's own ``call``: those it calls have its mode."""
    cls = program.modules[value.module].classes.get(value.function.cls or "")
    return cls is not None and value.function.name == "call" and asked.is_of_keras(ClassValue(value.module, cls))


def _is_among(value: Value, model: Term, trained: list[Value], frame: Frame) -> bool:
    """Whether a model is one of those that are trained, or a part of one: what its ``train_step`` calls."""
    for each in trained:
        if isinstance(value, Made) and isinstance(each, Made) and value.call is each.call:
            return True
        if isinstance(each, Instance) and isinstance(value, Instance) and each.cls is value.cls and each.call is value.call:
            return True
        if isinstance(each, Instance) and isinstance(model, Attr) and isinstance(model.base, Self) and frame.owner() == each:
            return True
    return False


def _is_plain(program: Program, asked: Moded, value: Value, call: Call) -> bool:
    """Whether a call of a model says nothing of its mode, and the model has no other than inference then."""
    if any(name in (_TRAINING, None) for name, _ in call.kwargs):
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
            return names.index(_TRAINING) if _TRAINING in names else None
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
    if isinstance(one, Made) and isinstance(other, Made):
        return one.call is other.call
    return isinstance(one, Instance) and isinstance(other, Instance) and one.cls is other.cls


__all__ = ["Unmoded", "unmoded"]
