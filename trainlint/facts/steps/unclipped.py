"""Training loops whose gradients are applied as they are, of models that are known for gradients that explode.

That nobody clips can be said only where all that happens to the gradients is in sight: no hook, no callee out of sight, no
engine. Of what model they are is read from the optimizer: which parameters it took, and which layers are made in that model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.layers import is_module
from trainlint.facts.modes.identity import Identities, Key, Keys, Parameter, root_of
from trainlint.facts.naming import names_of, reference
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.clipping import called
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.facts.steps.taken import Takers
from trainlint.facts.values import ClassValue, FunctionValue, Instance, Library, Made
from trainlint.finding import Spot
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Attr
from trainlint.ir.sketch import CallStep, Function

#: Backward passes that compute gradients and do no more.
_COMPUTED = frozenset(("plain", "scaled"))
_PARAMETERS = "params"
#: Functions that are read for one model.
_MOST = 60
_MOST_FRAMES = 4


class Layer(NamedTuple):
    """The layer for which gradients of a model may explode: its dotted name, and where it is made.

    ``sure``: every model of that class has it; else a test decides whether this one does.
    """

    name: str
    module: str
    spot: Spot
    sure: bool = True


class Unclipped(NamedTuple):
    """A step with gradients that nobody clips; ``code`` is what would, in the words of that place."""

    step: Event
    backward: Event
    layer: Layer
    code: str | None


class _Trained(NamedTuple):
    """The model that an optimizer trains: its key, what made it, and its layer."""

    key: Key
    maker: Instance | Made
    layer: Layer


def unclipped(program: Program) -> Iterator[Unclipped]:
    """The steps of optimizers on recurrent or attending models, in loops in which nothing clips."""
    seen: set[tuple[str, object]] = set()
    for found in program.ask(Rounds).around("step", "backward"):
        backward = found.of_kind("backward")
        if found.loop is None or any(each.way not in _COMPUTED for each in backward):
            continue
        if tests_software(program, found.frame.module, found.frame.function):
            continue
        steps = found.own_steps()
        for step in steps:
            key = (step.place.frame.module, step.place.call)
            if key in seen or step.way == "closure" or found.may_be_changed(program, step.thing):
                continue
            answer = _model(program, step)
            if answer is None or _may_be_clipped(program, found, answer.key) or _is_hooked(program, found, answer.key):
                continue
            seen.add(key)
            code = _code(program, found, step, answer.maker) if len(steps) == 1 else None
            yield Unclipped(step, backward[0], answer.layer, code)


def _may_be_clipped(program: Program, found: Round, model: Key) -> bool:
    """Whether one of the clips of a round may be of this model's gradients: not one of another model's parameters."""
    for clip in found.of_kind("clip"):
        given = clip.call.args[0] if clip.call.args else None
        bases = list(program.ask(Takers).bases(given, clip.frame)) if given is not None else []
        keys = [program.ask(Identities).of(base, where) for base, where in bases]
        if not keys or any(not each or not _are_others(program, each, model) for each in keys):
            return True
    return False


def _is_hooked(program: Program, found: Round, model: Key) -> bool:
    """Whether a function that is handed gradients may be registered for this model.

    Not for what is surely another one, nor for what is handed to a function that nobody is seen to call.
    """
    index = program.ask(CallGraph)
    sites = index.sites
    for name in program.knowledge.tables["explodes.hooks"]["names"]:
        for site in sites.get(name, ()):
            if not isinstance(site.call.term.callee, Attr) or not program.together(site.module, found.frame.module):
                continue
            for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
                keys = program.ask(Identities).of_owner(site.call.term.callee.base, frame)
                handed = all(isinstance(root_of(key), Parameter) for key in keys) and not index.callers(site.function)
                if not keys or not (handed or _are_others(program, keys, model)):
                    return True
    return False


def _are_others(program: Program, keys: Keys, model: Key) -> bool:
    """Whether models are surely other ones than this: parts of models that other calls make. Of a queue it may be any."""
    makers, roots = program.ask(Identities).makers, {root_of(key) for key in keys}
    return root_of(model) not in roots and all(root in makers and _is_model(program, makers[root]) for root in roots)


def _is_model(program: Program, maker: Instance | Made) -> bool:
    """Whether what makes something makes a model, whose parts are its own."""
    if isinstance(maker, Instance):
        return is_module(program, maker)
    return maker.name in program.knowledge.weights or program.knowledge.kinds.get(maker.name) in ("module", "layers")


def _model(program: Program, step: Event) -> _Trained | None:
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
    given = call.args[0] if call.args else dict(call.kwargs).get(_PARAMETERS)
    bases = list(program.ask(Takers).bases(given, frame)) if given is not None else []
    keys = {key for base, where in bases for key in program.ask(Identities).of(base, where)}
    if len(keys) != 1:
        return None
    key = keys.pop()
    maker = program.ask(Identities).makers.get(key)
    layer = _layer(program, maker) if maker is not None else None
    return _Trained(key, maker, layer) if maker is not None and layer is not None else None


def _layer(program: Program, model: Instance | Made) -> Layer | None:
    """What is known to make gradients explode, in a model: made by its constructor, or by those of its parts."""
    if isinstance(model, Made):
        return _known(program, model.name, model)
    queue: list[tuple[str, Function, bool]] = []

    def begin(cls: ClassValue) -> None:
        method = program.method(cls, "__init__")
        queue.extend([(*method, True)] if method is not None else [])

    begin(ClassValue(model.module, model.cls))
    seen: set[int] = set()
    perhaps: Layer | None = None
    while queue and len(seen) < _MOST:
        module, function, sure = queue.pop(0)
        if id(function) in seen:
            continue
        seen.add(id(function))
        frame = program.frame(module, function)
        for node, led in walk_tested(function.body):
            targets = program.ask(CallGraph).targets(node.term, frame) if isinstance(node, CallStep) else []
            always = sure and not led
            for target in targets if len(targets) == 1 else ():
                assert isinstance(node, CallStep)
                if isinstance(target, Library):
                    layer = _known(program, target.name, Made(target.name, node.term, frame))
                    if layer is not None and always:
                        return layer
                    perhaps = perhaps or (layer._replace(sure=False) if layer is not None else None)
                elif isinstance(target, FunctionValue):
                    queue.insert(len(queue) if not always else _sure(queue), (target.module, target.function, always))
    return perhaps


def _sure(queue: list[tuple[str, Function, bool]]) -> int:
    """How many in a queue are sure: they stand first in it."""
    return sum(sure for _, _, sure in queue)


def _known(program: Program, name: str, made: Made) -> Layer | None:
    tables = program.knowledge.tables
    package, _, last = name.partition(".")[0], "", name.rpartition(".")[2]
    by_library = package in tables["explodes.packages"]["names"] and last in tables["explodes.makers"]["names"]
    if (name not in tables["explodes"]["names"] and not by_library) or made.call is None or made.frame is None:
        return None
    return Layer(name, made.frame.module, made.call.site)


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
