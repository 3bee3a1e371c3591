"""Gradient clipping: of gradients that are still scaled, without effect, or missing where gradients explode.

Gradients that are clipped while they are still multiplied by the scale of the loss, or where they are not the
optimizer's.

Clips without effect: behind the step that they are meant for, or before there are gradients.

Training loops whose gradients are applied as they are, of models that are known for gradients that explode.

That nobody clips can be said only where all that happens to the gradients is in sight: no hook, no callee out of
sight, no engine. Of what model they are is read from the optimizer: which parameters it took, and which layers are
made in that model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import Literal, NamedTuple

from trainlint.domains.autograd.backward import Steps
from trainlint.domains.expressions import operations
from trainlint.domains.nn.modules import is_module
from trainlint.domains.optimizer_parameters import Takers
from trainlint.finding import Spot
from trainlint.flow.events import Event, Place, once, seen_from
from trainlint.flow.objects import Thing, Things
from trainlint.flow.protocols import Hit, Moment, Protocol
from trainlint.flow.roles import name_of
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import NAMED, Attr, BinOp, Call, Const, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import mentions, parts_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.naming import names_of, reference
from trainlint.program.object_identity import Identities, Key, Keys, Parameter, root_of
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved

#: A bound from which on nobody clips: the call is there for the norm that it returns.
_LARGE = 1e6


class Scaled(NamedTuple):
    """A clip of gradients that are still scaled; or (``how`` is "twice") an ``unscale_`` of what was unscaled already.

    ``place`` is where the mistake is to be mended: the clip, or the call that leads to it from where the backward pass is.
    ``unscales`` is what is missing, in the words of that place. "copies": the optimizer has copies of the parameters ("perhaps":
    if whoever starts the program says so), and the model's gradients, which are clipped, are not what it uses. "by hand": no
    scaler does it, the program itself multiplies and divides. ``backward`` is None where that pass runs apart.
    """

    how: str
    place: Place
    clip: Event
    backward: Event | None
    step: Event | None = None
    unscales: str | None = None


@once("place")
def clipped_scaled(program: Program) -> Iterator[Scaled]:
    """The clips of gradients that are still multiplied by the factor of a loss."""
    asked, sites = program.ask(Rounds), program.ask(CallGraph).sites
    names = sorted(program.knowledge.backward)
    by_hand = any(_multiplied(site.call.term) for name in names for site in sites.get(name, ()))
    rounds = chain(
        asked.around("scale", "backward", "step"),
        _apart(program),
        asked.around("scale_loss", "backward", "clip", "step"),
        *(asked.around(name, "backward", "clip") for name in names if by_hand),
    )
    for found in map(_scaled, SCALED.over(program, rounds)):
        yield found._replace(how="perhaps") if found.how == "copies" and _makes_copies(program) == "may" else found


def _scaled(hit: Hit) -> Scaled:
    at = hit.moment
    if at.event.kind == "step":
        clip = at.last("clip")
        return Scaled(hit.report, clip.place, clip, None, at.event)
    earlier = _unscaled_before(at) if hit.report == "twice" else at.last("backward")
    assert earlier is not None
    seen = seen_from(at.event, earlier.frame) if hit.report != "copies" else None
    found = Scaled(hit.report, seen or at.event.place, at.event, earlier)
    if hit.report != "clip":
        return found
    steps = _scaled_steps(at.round)
    return found._replace(step=steps[0], unscales=_unscales(at.program, at.round, found.place, earlier, steps))


def _scaled_steps(found: Round) -> list[Event]:
    return [step for step in found.of_kind("step") if step.way == "scaled"]


def _is_off(at: Moment) -> bool:
    """Whether no scaler steps in a round, or one that is switched off, or somebody asks whether it has unscaled."""
    steps, asked = _scaled_steps(at.round), at.program.ask(Things)
    return not steps or any(asked.is_on(step.scaler) is False for step in steps) or _asks_scaler(at.round)


def _apart(program: Program) -> Iterator[Round]:
    """The rounds of a step that runs apart from the backward pass, where nothing in the program unscales gradients.

    That a scaler makes the step says that the gradients are scaled, whoever computed them.
    """
    words, sites = program.knowledge.step_calls, program.ask(CallGraph).sites
    if any(word == "unscale" and name.rpartition(".")[2] in sites for name, word in words.items()):
        return
    for found in _clipping(program, "clip", "step"):
        if "backward" not in found.kinds and not tests_software(program, found.frame.module, found.frame.function):
            yield found


def _clipping(program: Program, *also: str) -> Iterator[Round]:
    """The rounds around calls that clip in which these kinds of events happen, too."""
    names = {name.rpartition(".")[2] for name, word in program.knowledge.step_calls.items() if word == "clip"}
    for name in sorted(names.intersection(program.ask(CallGraph).sites)):
        yield from program.ask(Rounds).around(name, *also)


def _asks_scaler(found: Round) -> bool:
    """Whether gradients are unscaled on a condition that reads something of the scaler: that it was done already, say."""
    for event in found.of_kind("unscale"):
        if not isinstance(event.call.callee, Attr):
            continue
        scaler = event.call.callee.base
        for node, led in walk_tested(event.frame.function.body):
            if isinstance(node, CallStep) and node.term is event.term:
                parts = (part for test, _ in conditions(led) for part in parts_of(test))
                if any(isinstance(part, Attr) and part.base is scaler for part in parts):
                    return True
    return False


def _is_scaled_by_hand(at: Moment) -> bool:
    """Whether a loss is multiplied by what is called a scale of it, and what comes of the gradients is divided by that.

    A loss that only weighs more than others is not: nobody takes its weight out again.
    """
    program, backward = at.program, at.event
    loss = _multiplied(backward.call) if backward.way == "plain" else None
    if loss is None:
        return False
    words = program.knowledge.tables["loss_scaling.by_hand"]["names"]
    factors = [each for each in loss.sides if all(word in name_of(each).lower() for word in words)]
    attributes = program.knowledge.gradient_attributes
    quotients = [
        part for part in program.ask_of(operations, backward.frame.function) if isinstance(part, BinOp) and part.op == "Div"
    ]
    undone = [each for each in quotients if any(each.right is factor for factor in factors) and each.left is not loss]
    if any(isinstance(part, Attr) and part.name in attributes for each in undone for part in parts_of(each.left)):
        return False  # the gradients themselves are divided, on some way at least
    return bool(undone)


def _multiplied(backward: Call) -> BinOp | None:
    """The product of which a call computes the gradients."""
    loss = backward.callee.base if isinstance(backward.callee, Attr) else None
    return loss if isinstance(loss, BinOp) and loss.op == "Mult" else None


def _makes_copies(program: Program) -> Literal["no", "may", "yes"]:
    """Whether apex is told a level with copies, here or (perhaps) by who starts the program."""
    found: Literal["no", "may"] = "no"
    for dotted, without in program.knowledge.makes_copies.items():
        for site in program.ask(CallGraph).sites.get(dotted.rpartition(".")[2], ()):
            frame = program.frame(site.module, site.function)
            if not any(
                isinstance(value, Library) and value.name == dotted for value in program.values(site.call.term.callee, frame)
            ):
                continue
            given = next((value for name, value in site.call.term.kwargs if name == "opt_level"), None)
            for value in program.values(given, frame) if given is not None else ():
                if not (isinstance(value, Unresolved) and isinstance(value.term, Const)):
                    found = "may"
                elif value.term.value not in without:
                    return "yes"
    return found


def _of_model(program: Program, clip: Event) -> bool:
    """Whether what is clipped are the parameters of a model, as the model hands them out."""
    first = clip.call.args[0] if clip.call.args else None
    return isinstance(first, Call) and isinstance(first.callee, Attr) and first.callee.name in program.knowledge.hands_parameters


def _steps_plainly(at: Moment) -> bool:
    """Whether a plain step follows: this is the way without a scaler, under another name."""
    step = next((event for event in at.events[at.number :] if event.kind == "step"), None)
    return step is not None and step.way != "scaled"


def _unscaled_before(at: Moment) -> Event | None:
    """The earlier ``unscale_`` of the same optimizer by the same scaler."""
    event = at.event
    if event.thing is None or event.scaler is None or event.inner:
        return None
    for before in at.trail:
        if before.kind != "unscale" or before.thing is None or before.scaler is None or before.term is event.term:
            continue
        if before.thing.origin is event.thing.origin and before.scaler.origin is event.scaler.origin:
            return before
    return None


def binds(program: Program, clip: Event, *, scaled: bool = False) -> bool:
    """Whether a clip has a bound that gradients can exceed; ``scaled``: and the bound is not multiplied by the scale."""
    bound = _bound(program, clip)
    if bound is None:
        return True
    for value in program.values(bound, clip.frame):
        if isinstance(value, LibraryObject) and (last_name(value.call.callee) if value.call is not None else "") == "float":
            return False
        if isinstance(value, Unresolved) and isinstance(value.term, Const):
            number = value.term.value
            if number is None and any(mentions(test, bound) for test, _, _ in clip.tests):
                continue  # then it does not get here
            if number is None or (isinstance(number, (int, float)) and (number >= _LARGE or math.isnan(number))):
                return False
    for part in parts_of(bound):
        name = last_name(part) if isinstance(part, NAMED) else None
        if name in ("inf", "Infinity", "PINF"):
            return False
        if scaled and (isinstance(part, (BinOp, Call)) or "scale" in (name or "").lower()):
            return False
    return True


def _bound(program: Program, clip: Event) -> Term | None:
    """The bound that a clipping call is given."""
    call = clip.call
    for name, value in call.kwargs:
        if name in program.knowledge.clip_bounds:
            return value
    position = 0 if _is_method(call) else 1
    return call.args[position] if len(call.args) > position else None


def _is_method(call: Call) -> bool:
    """``model.clip_grad_norm_(1.0)``, where the function would be ``clip_grad_norm_(parameters, 1.0)``."""
    return isinstance(call.callee, Attr) and len(call.args) == 1


def _unscales(program: Program, found: Round, place: Place, backward: Event, steps: list[Event]) -> str | None:
    """``scaler.unscale_(optimizer)`` in the words of a place; None where it has none, or where it is not right each time."""
    if place.frame is not backward.frame or len(steps) != 1 or steps[0].thing is None or steps[0].scaler is None:
        return None
    if found.of_kind("unscale"):
        return None  # it stands too late, and twice is an error
    here = seen_from(steps[0], place.frame)
    if here is None:
        return None
    clip = next((event for event in found.all if seen_from(event, place.frame) == place), None)
    if clip is None or not _tests(steps[0], place.frame) <= _tests(clip, place.frame):
        return None
    if not _tests(backward, place.frame) <= _tests(clip, place.frame) or steps[0].inner or clip.inner:
        return None
    scaler = called(program, steps[0].scaler, place.frame)
    optimizer = called(program, steps[0].thing, place.frame)
    return f"{scaler}.unscale_({optimizer})" if scaler is not None and optimizer is not None else None


def _tests(event: Event, frame: Context) -> set[tuple[Term, bool]]:
    return {(test, arm) for test, arm, where in event.tests if where is frame}


def called(program: Program, thing: Thing, frame: Context) -> str | None:
    """What a thing is called in the function of a frame."""
    if thing.frame is frame:
        name = name_in(thing.term, frame.function)
        if name is not None:
            return name
    for made in thing.made or ():
        for naming in names_of(program, frame, made):
            if naming.always:
                return naming.text
    return None


SCALED = Protocol(
    "TL402",
    "Gradients of a loss that is multiplied by a scale",
    "elsewhere, if the backward pass is not in sight | clean",
    """
    unscaled          | backward                              | unscaled
    *                 | backward, scaled by a scaler          | scaled
    *                 | backward, scaled by apex              | copied
    *                 | backward, scaled by hand              | multiplied
    *                 | backward                              | clean
    scaled            | clip, to a bound                      | scaled     | clip, unless a plain step follows; or it may be off
    copied            | clip, of the model's parameters       | copied     | copies, unless the optimizer has no copies
    multiplied        | clip, to a bound                      | multiplied | by hand
    unscaled          | unscale, of the same optimizer        | unscaled   | twice, unless it may be off
    unscaled          | clear                                 | unscaled
    elsewhere clipped | clip, to a bound                      | clipped
    clipped           | step, by a scaler                     | elsewhere  | clip, unless it is off
    elsewhere clipped | step update clear unscale             | elsewhere
    elsewhere clipped | unknown touch, if it may change these | elsewhere
    *                 | unscale                               | unscaled
    *                 | step update clear                     | clean
    multiplied        | unknown touch, if it is given any     | clean
    *                 | unknown touch, if it may change these | clean
    """,
    {
        "if the backward pass is not in sight": lambda at: "backward" not in at.round.kinds,
        "scaled by a scaler": lambda at: at.event.way == "scaled",
        "scaled by apex": lambda at: at.event.way == "apex",
        "scaled by hand": _is_scaled_by_hand,
        "to a bound": lambda at: binds(at.program, at.event, scaled=True),
        "of the model's parameters": lambda at: _of_model(at.program, at.event) and binds(at.program, at.event),
        "of the same optimizer": _unscaled_before,
        "by a scaler": lambda at: at.event.way == "scaled",
        "if it is given any": lambda at: at.event.may_change(at.program, *at.round.parts(), None),
        "a plain step follows": _steps_plainly,
        "it may be off": _is_off,
        "it is off": lambda at: at.program.ask(Things).is_on(at.event.scaler) is False,
        "the optimizer has no copies": lambda at: _makes_copies(at.program) == "no",
    },
)


_STEP = "step"
IDLE = Protocol(
    "TL420",
    "Gradients that are clipped",
    "computed",
    """
    computed stepped cleared | backward                  | computed
    computed stepped cleared | step                      | stepped
    computed stepped cleared | clear                     | cleared
    computed                 | clip, the one in question | right
    stepped                  | clip, the one in question | late
    cleared                  | clip, the one in question | early
    late                     | clear                     | discarded
    late                     | backward step             | right
    discarded                | backward                  | right     | after
    discarded                | step                      | right
    early                    | backward                  | right     | before
    early                    | clear step                | right
    """,
    tracks="clip",
)


@once("moment.own.place")
def idle(program: Program) -> Iterator[Hit]:
    """The clips without effect on every way: behind the step ("after"), or where there are no gradients yet ("before")."""
    for found in _clipping(program, "backward", "step"):
        for clip in found.of_kind("clip") if not found.may_be_changed(program, *found.parts()) else ():
            by_itself = any(last_name(node.term.callee) == _STEP for node, _ in clip.chain)  # an optimizer clips in its own step
            hit = IDLE.always(program, found, clip) if binds(program, clip) and not by_itself else None
            if hit is not None:
                yield hit


@once("place")
def before_the_framework(program: Program) -> Iterator[Event]:
    """The clips in a step that only returns a loss: the framework empties the gradients and computes them when that has run."""
    asked = program.ask(Rounds)
    steps = list(program.ask(Steps).found.values()) if any(True for _ in _clipping(program, "clip")) else []
    for module, function in steps:
        for frame in calling_contexts(program, module, function):
            found = asked.walked(function.body, frame, None, ())
            if found is None or not found.kinds.isdisjoint(_APPLIES) or found.may_be_changed(program, *found.parts(), None):
                continue
            yield from (clip for clip in found.of_kind("clip") if binds(program, clip))


#: What a step does that computes gradients itself, or uses them.
_APPLIES = frozenset(("backward", "step", "unscale"))

#: Backward passes that compute gradients and do no more.
_COMPUTED = frozenset(("plain", "scaled"))
_PARAMETERS = "params"


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
    maker: Instance | LibraryObject
    layer: Layer


@once("step.place")
def unclipped(program: Program) -> Iterator[Unclipped]:
    """The steps of optimizers on recurrent or attending models, in loops in which nothing clips."""
    for found in program.ask(Rounds).around("step", "backward"):
        backward = found.of_kind("backward")
        if found.loop is None or any(each.way not in _COMPUTED for each in backward):
            continue
        if tests_software(program, found.frame.module, found.frame.function):
            continue
        steps = found.own_steps()
        for step in steps:
            if step.way == "closure" or found.may_be_changed(program, step.thing):
                continue
            answer = _model(program, step)
            if answer is None or _may_be_clipped(program, found, answer.key) or _is_hooked(program, found, answer.key):
                continue
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
            for frame in contexts_at(program, site):
                keys = program.ask(Identities).of_owner(site.call.term.callee.base, frame)
                handed = all(isinstance(root_of(key), Parameter) for key in keys) and not index.callers(site.function)
                if not keys or not (handed or _are_others(program, keys, model)):
                    return True
    return False


def _are_others(program: Program, keys: Keys, model: Key) -> bool:
    """Whether models are surely other ones than this: parts of models that other calls make. Of a queue it may be any."""
    makers, roots = program.ask(Identities).makers, program.ask(Identities).among(frozenset(map(root_of, keys)))
    return root_of(model) not in roots and all(root in makers and _is_model(program, makers[root]) for root in roots)


def _is_model(program: Program, maker: Instance | LibraryObject) -> bool:
    """Whether what makes something makes a model, whose parts are its own."""
    if isinstance(maker, Instance):
        return is_module(program, maker)
    return maker.name in program.knowledge.weights or program.knowledge.kinds.get(maker.name) in ("module", "layers")


def _model(program: Program, step: Event) -> _Trained | None:
    """The model that an optimizer of the library trains, and the layer in it for which its gradients may explode."""
    made = step.thing.made if step.thing is not None else None
    if made is None or len(made) != 1 or not isinstance(made[0], LibraryObject) or made[0].call is None or made[0].frame is None:
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


def _layer(program: Program, model: Instance | LibraryObject) -> Layer | None:
    """What is known to make gradients explode, in a model: made by its constructor, or by those of its parts."""
    if isinstance(model, LibraryObject):
        return _known(program, model.name, model)
    queue: list[tuple[str, Function, bool]] = []

    def begin(cls: ClassValue) -> None:
        method = program.method(cls, "__init__")
        queue.extend([(*method, True)] if method is not None else [])

    begin(ClassValue(model.module, model.cls))
    seen: set[int] = set()
    perhaps: Layer | None = None
    while queue:
        module, function, sure = queue.pop(0)
        if id(function) in seen:
            continue
        seen.add(id(function))
        frame = program.frame(module, function)
        for node, led in walk_tested(function.body, unfailed=True):
            targets = program.ask(CallGraph).targets(node.term, frame) if isinstance(node, CallStep) else []
            always = sure and not led
            for target in targets if len(targets) == 1 else ():
                assert isinstance(node, CallStep)
                if isinstance(target, Library):
                    layer = _known(program, target.name, LibraryObject(target.name, node.term, frame))
                    if layer is not None and always:
                        return layer
                    perhaps = perhaps or (layer._replace(sure=False) if layer is not None else None)
                elif isinstance(target, FunctionValue):
                    queue.insert(len(queue) if not always else _sure(queue), (target.module, target.function, always))
    return perhaps


def _sure(queue: list[tuple[str, Function, bool]]) -> int:
    """How many in a queue are sure: they stand first in it."""
    return sum(sure for _, _, sure in queue)


def _known(program: Program, name: str, made: LibraryObject) -> Layer | None:
    tables = program.knowledge.tables
    package, _, last = name.partition(".")[0], "", name.rpartition(".")[2]
    by_library = package in tables["explodes.packages"]["names"] and last in tables["explodes.makers"]["names"]
    if (name not in tables["explodes"]["names"] and not by_library) or made.call is None or made.frame is None:
        return None
    return Layer(name, made.frame.module, made.call.site)


def _code(program: Program, found: Round, step: Event, model: Instance | LibraryObject) -> str | None:
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
