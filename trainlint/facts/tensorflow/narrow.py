"""Outputs of models that are trained in float16 under a policy of Keras: the layer that computes them was not told otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import Calls
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.leading import Leading, Leads, run_by
from trainlint.facts.tensorflow.outputs import Head, Outputs
from trainlint.facts.tensorflow.policies import Half, halves
from trainlint.facts.tensorflow.tapes import applied, gradients
from trainlint.facts.values import ClassValue, Instance, Library, Made, Other, Value
from trainlint.finding import Spot
from trainlint.model.sketch import Call, Function
from trainlint.model.terms import Term, parts_of

_DTYPE, _STEP = "dtype", "train_step"
_DEEP = 2


class Narrow(NamedTuple):
    """A layer that computes an output in float16 (``last``), or a softmax that is kept from bfloat16 only."""

    module: str
    node: Call
    half: Half
    last: bool


def narrow(program: Program) -> Iterator[Narrow]:
    """Each such layer, where it is made."""
    asked = [half for half in program.ask(halves) if not half.rewrites]
    if not asked:
        return
    seen: set[tuple[str, Spot]] = set()
    for module, node, half, last in (*_last_layers(program, asked), *_half_kept(program, asked)):
        if (module, node.term[4]) not in seen:
            seen.add((module, node.term[4]))
            yield Narrow(module, node, half, last)


def _last_layers(program: Program, asked: list[Half]) -> Iterator[tuple[str, Call, Half, bool]]:
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
    index = program.ask(Calls)
    for name in table["fits"]:
        for site in index.sites.get(name, ()):
            if site.call.term[1][0] == "a":
                yield from _models(program, asked, site.module, site.function, site.call.term[1][1])
    for gradient in program.ask(gradients):
        if not applied(program, gradient) or gradient.sources is None or _casts(program, gradient.module, gradient.function):
            continue
        for part in parts_of(gradient.sources):
            if part[0] == "a" and part[2] in table["variables_of"]:
                yield from _models(program, asked, gradient.module, gradient.function, part[1])


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
        node.term[1][0] in ("r", "a") and str(node.term[1][-1]).rpartition(".")[2] in names
        for _, each in near.values()
        for node in calls_of(each)
    )


def _is_narrow(program: Program, head: Head) -> bool:
    """Whether nobody tells a layer its type: neither by name nor by arguments that nobody sees."""
    if any(name is None for name, _ in head.call[3]):
        return False
    given = head.argument(_DTYPE)
    if given is None:
        return True
    values = program.values(given, head.frame)
    return all(isinstance(value, Other) and value.term[0] == "c" and value.term[2] is None for value in values)


def _half_kept(program: Program, asked: list[Half]) -> Iterator[tuple[str, Call, Half, bool]]:
    """A softmax that is float32 under the policy of bfloat16 and left alone under that of float16."""
    table = program.knowledge.tables["tensorflow"]
    for dotted in table["activates"]:
        for site in program.ask(Calls).sites.get(dotted.rpartition(".")[2], ()):
            given = next((value for name, value in site.call.term[3] if name == _DTYPE), None)
            if given is None or given[0] != "if" or tests_software(program, site.module, site.function):
                continue
            frame = program.frame(site.module, site.function)
            called = program.values(site.call.term[1], frame)
            if not any(isinstance(value, Library) and value.name == dotted for value in called):
                continue
            condition, otherwise = given[1], given[3]
            half = next((each for each in asked if program.together(each.module, site.module)), asked[0])
            names = [part[2] for part in parts_of(condition) if part[0] == "c"]
            plain = condition[0] == "cmp" and condition[1] == "Eq" and any(name in table["bfloat16"] for name in names)
            if plain and otherwise[0] == "c" and otherwise[2] is None:
                yield site.module, site.call, half, False


__all__ = ["Narrow", "narrow"]
