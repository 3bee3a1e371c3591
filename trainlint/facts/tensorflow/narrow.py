"""Outputs of models that are trained in float16 under a policy of Keras: the layer that computes them was not told otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.leading import Leading, Leads, run_by
from trainlint.facts.tensorflow.outputs import Head, Outputs
from trainlint.facts.tensorflow.policies import Half, halves
from trainlint.facts.tensorflow.tapes import applied, gradients
from trainlint.facts.values import ClassValue, Instance, Library, Made, Other, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Compare, Const, Ref, Select, Term
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import parts_of

_DTYPE, _STEP = "dtype", "train_step"
_DEEP = 2


class Narrow(NamedTuple):
    """A layer that computes an output in float16 (``last``), or a softmax that is kept from bfloat16 only."""

    module: str
    node: CallStep
    half: Half
    last: bool


def narrow(program: Program) -> Iterator[Narrow]:
    """Each such layer, where it is made."""
    asked = [half for half in program.ask(halves) if not half.rewrites]
    if not asked:
        return
    seen: set[tuple[str, Spot]] = set()
    for module, node, half, last in (*_last_layers(program, asked), *_half_kept(program, asked)):
        if (module, node.term.site) not in seen:
            seen.add((module, node.term.site))
            yield Narrow(module, node, half, last)


def _last_layers(program: Program, asked: list[Half]) -> Iterator[tuple[str, CallStep, Half, bool]]:
    table = program.knowledge.tables["tensorflow"]
    outer = program.ask(Outputs)
    for half, model in _trained(program, asked):
        heads = outer.of_model(model)
        for head in heads:
            if (
                head is not None
                and head.layer
                and head.name in (*table["projects"], *table["activates"])
                and _is_narrow(program, head)
            ):
                node = next((each for each in calls_of(head.frame.function) if each.term is head.call), None)
                if node is not None and not tests_software(program, head.frame.module, head.frame.function):
                    yield head.frame.module, node, half, True


def _trained(program: Program, asked: list[Half]) -> Iterator[tuple[Half, Value]]:
    """The models that are trained in runs that ask for float16."""
    table = program.knowledge.tables["tensorflow"]
    index = program.ask(CallGraph)
    for name in table["fits"]:
        for site in index.sites.get(name, ()):
            if isinstance(site.call.term.callee, Attr):
                yield from _models(program, asked, site.module, site.function, site.call.term.callee.base)
    for gradient in program.ask(gradients):
        if not applied(program, gradient) or gradient.sources is None or _casts(program, gradient.module, gradient.function):
            continue
        for part in parts_of(gradient.sources):
            if isinstance(part, Attr) and part.name in table["variables_of"]:
                yield from _models(program, asked, gradient.module, gradient.function, part.base)


def _models(program: Program, asked: list[Half], module: str, function: Function, term: Term) -> Iterator[tuple[Half, Value]]:
    if tests_software(program, module, function):
        return
    leading: Leading = program.ask(Leads).to(module, function)
    half = next((each for each in asked if each.holds(leading)), None)
    if half is None:
        return
    for frame in activations(program, module, function):
        for value in program.values(term, frame):
            if isinstance(value, Made) or (isinstance(value, Instance) and not _casts_in_step(program, value)):
                yield half, value


def _casts_in_step(program: Program, model: Instance) -> bool:
    """Whether a model has a step of its own for ``fit`` that turns something into float32."""
    method = program.method(ClassValue(model.module, model.cls), _STEP)
    return method is not None and _casts(program, *method)


def _casts(program: Program, module: str, function: Function) -> bool:
    """Whether a step, or what it calls, turns something into float32 itself."""
    names = program.knowledge.tables["tensorflow"]["casts"]
    near = run_by(program, module, function, _DEEP)
    return any(
        isinstance(node.term.callee, (Ref, Attr)) and node.term.callee.name.rpartition(".")[2] in names
        for _, each in near.values()
        for node in calls_of(each)
    )


def _is_narrow(program: Program, head: Head) -> bool:
    """Whether nobody tells a layer its type: neither by name nor by arguments that nobody sees."""
    if any(name is None for name, _ in head.call.kwargs):
        return False
    given = head.argument(_DTYPE)
    if given is None:
        return True
    values = program.values(given, head.frame)
    return all(isinstance(value, Other) and isinstance(value.term, Const) and value.term.value is None for value in values)


def _half_kept(program: Program, asked: list[Half]) -> Iterator[tuple[str, CallStep, Half, bool]]:
    """A softmax that is float32 under the policy of bfloat16 and left alone under that of float16."""
    table = program.knowledge.tables["tensorflow"]
    for dotted in table["activates"]:
        for site in program.ask(CallGraph).sites.get(dotted.rpartition(".")[2], ()):
            given = next((value for name, value in site.call.term.kwargs if name == _DTYPE), None)
            if given is None or not isinstance(given, Select) or tests_software(program, site.module, site.function):
                continue
            frame = program.frame(site.module, site.function)
            called = program.values(site.call.term.callee, frame)
            if not any(isinstance(value, Library) and value.name == dotted for value in called):
                continue
            condition, otherwise = given.test, given.other
            half = next((each for each in asked if program.together(each.module, site.module)), asked[0])
            names = [part.value for part in parts_of(condition) if isinstance(part, Const)]
            plain = isinstance(condition, Compare) and condition.op == "Eq" and any(name in table["bfloat16"] for name in names)
            if plain and isinstance(otherwise, Const) and otherwise.value is None:
                yield site.module, site.call, half, False


__all__ = ["Narrow", "narrow"]
