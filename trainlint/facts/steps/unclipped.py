"""Training loops whose gradients are applied as they are, of models that are known for gradients that explode.

That nobody clips can be said only where all that happens to the gradients is in sight: no hook, no callee out of sight, no
engine. Of what model they are is read from the optimizer: which parameters it took, and which layers are made in that model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import calls
from trainlint.facts.modes.identity import identities
from trainlint.facts.naming import names_of, reference
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.clipping import called
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.rounds import Round, rounds
from trainlint.facts.steps.taken import takers
from trainlint.facts.values import ClassValue, FunctionValue, Instance, Library, Made
from trainlint.finding import Spot
from trainlint.model.sketch import Call, Function
from trainlint.model.tested import walk_tested

#: Backward passes that compute gradients and do no more.
_COMPUTED = frozenset(("plain", "scaled"))
_PARAMETERS = "params"
#: Functions that are read for one model.
_MOST = 60


class Layer(NamedTuple):
    """The layer for which gradients of a model may explode: its dotted name, and where it is made."""

    name: str
    module: str
    spot: Spot


class Unclipped(NamedTuple):
    """A step with gradients that nobody clips; ``code`` is what would, in the words of that place."""

    step: Event
    backward: Event
    layer: Layer
    code: str | None


def unclipped(program: Program) -> Iterator[Unclipped]:
    """The steps of optimizers on recurrent or attending models, in loops in which nothing clips."""
    seen: set[tuple[str, object]] = set()
    hooked = _hooked(program)
    for found in rounds(program).around("step", "backward"):
        backward = found.of_kind("backward")
        if found.loop is None or found.of_kind("clip") or any(each.way not in _COMPUTED for each in backward):
            continue
        module, function = found.frame.module, found.frame.function
        if program.component(module) in hooked or tests_software(program, module, function):
            continue
        steps = found.own_steps()
        for step in steps:
            key = (step.place.frame.module, step.place.call)
            if key in seen or step.way == "closure" or found.may_be_changed(program, step.thing):
                continue
            answer = _model(program, step)
            if answer is not None:
                seen.add(key)
                model, layer = answer
                code = _code(program, found, step, model) if len(steps) == 1 else None
                yield Unclipped(step, backward[0], layer, code)


def _hooked(program: Program) -> set[str]:
    """The components in which a function is registered that is handed gradients."""
    sites = calls(program).sites
    names = program.knowledge.tables["explodes.hooks"]["names"]
    return {program.component(site.module) for name in names for site in sites.get(name, ())}


def _model(program: Program, step: Event) -> tuple[Instance | Made, Layer] | None:
    """The model that an optimizer of the library trains, and the layer in it for which its gradients may explode."""
    made = step.thing.made if step.thing is not None else None
    if made is None or len(made) != 1 or not isinstance(made[0], Made) or made[0].call is None or made[0].frame is None:
        return None
    optimizer = made[0]
    plain = any(optimizer.name.startswith(prefix) for prefix in program.knowledge.tables["optimizers.in_place"]["names"])
    if not plain or optimizer.name in program.knowledge.tables["explodes.not_with"]["names"]:
        return None
    call, frame = optimizer.call, optimizer.frame
    assert call is not None
    assert frame is not None
    given = call[2][0] if call[2] else dict(call[3]).get(_PARAMETERS)
    bases = list(takers(program).bases(given, frame)) if given is not None else []
    keys = {key for base, where in bases for key in identities(program).of(base, where)}
    if len(keys) != 1:
        return None
    maker = identities(program).makers.get(keys.pop())
    layer = _layer(program, maker) if maker is not None else None
    return (maker, layer) if maker is not None and layer is not None else None


def _layer(program: Program, model: Instance | Made) -> Layer | None:
    """What is known to make gradients explode, in a model: made by its constructor, or by those of its parts."""
    if isinstance(model, Made):
        return _known(program, model.name, model)
    queue: list[tuple[str, Function]] = []

    def begin(cls: ClassValue) -> None:
        method = program.method(cls, "__init__")
        queue.extend([method] if method is not None else [])

    begin(ClassValue(model.module, model.cls))
    seen: set[int] = set()
    while queue and len(seen) < _MOST:
        module, function = queue.pop(0)
        if id(function) in seen:
            continue
        seen.add(id(function))
        frame = program.frame(module, function)
        for node, led in walk_tested(function.body):
            targets = calls(program).targets(node.term, frame) if isinstance(node, Call) and not led else []
            for target in targets if len(targets) == 1 else ():  # a layer that some models of the class have is none of this one
                assert isinstance(node, Call)
                if isinstance(target, Library):
                    layer = _known(program, target.name, Made(target.name, node.term, frame))
                    if layer is not None:
                        return layer
                elif isinstance(target, FunctionValue):
                    queue.append((target.module, target.function))
    return None


def _known(program: Program, name: str, made: Made) -> Layer | None:
    tables = program.knowledge.tables
    package, _, last = name.partition(".")[0], "", name.rpartition(".")[2]
    by_library = package in tables["explodes.packages"]["names"] and last in tables["explodes.makers"]["names"]
    if (name not in tables["explodes"]["names"] and not by_library) or made.call is None or made.frame is None:
        return None
    return Layer(name, made.frame.module, made.call[4])


def _code(program: Program, found: Round, step: Event, model: Instance | Made) -> str | None:
    """What clips, as the place of the step can write it: behind an ``unscale_`` where a scaler steps."""
    place = step.place
    if step.inner or place.frame is not step.frame:
        return None
    clips = reference(program.knowledge.written["clips"], program.modules[place.frame.module])
    name = next((naming.text for naming in names_of(program, place.frame, model) if naming.always), None)
    if clips is None or name is None:
        return None
    code = f"{clips}({name}.parameters(), max_norm=1.0)"
    if step.way == "plain":
        return code
    if step.way != "scaled" or step.scaler is None or step.thing is None:
        return None
    if found.of_kind("unscale"):
        return code
    scaler, optimizer = called(program, step.scaler, place.frame), called(program, step.thing, place.frame)
    return f"{scaler}.unscale_({optimizer})\n{code}" if scaler is not None and optimizer is not None else None
