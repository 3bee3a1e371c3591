"""Models left in evaluation mode: trained in the next round all the same; and where ``train()`` belongs.

Which models a loop's optimizers hold: a backward pass goes through a frozen model as well, and nothing of it is
trained.

Models that are trained in evaluation mode: an evaluation pass set it, and nothing sets it back before the next
round.

Where a call could put a model back into training mode, so that a repair can write it there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.grad_mode import OFF, GradMode
from trainlint.domains.nn.modules import model_of
from trainlint.domains.optimizer_parameters import Takers
from trainlint.domains.train_mode.evidence import is_trained, sources
from trainlint.domains.train_mode.interpreter import (
    BACKWARD,
    BEFORE,
    EVALUATE,
    HANDED,
    METHOD,
    PASS,
    STEP,
    Event,
    Run,
    Runs,
    Setting,
    runs,
)
from trainlint.domains.train_mode.mode_dependence import Moded
from trainlint.finding import Spot
from trainlint.flow.objects import Thing, Things
from trainlint.ir.control_dependence import conditions, meet
from trainlint.ir.nodes import Attr, Call, Param, Ref, Self
from trainlint.ir.order import before, in_block, within
from trainlint.ir.printer import model_in
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Loop, Statement, Try, With
from trainlint.ir.walk import effects, of_kind
from trainlint.program.call_graph import CallGraph, last_name, methods_of
from trainlint.program.library_uses import Hooks, uses_framework
from trainlint.program.loops import Loops, is_decided
from trainlint.program.object_identity import Identities, Key, Keys
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context


def holds_others(program: Program, events: list[Event], at: int, key: Key) -> bool:
    """Whether every optimizer that steps behind a pass, in its loops or deeper, is seen to hold other models than this one.

    They have to be models that the run speaks of: what is known by another name might be the same.
    """
    inside = events[at].inside
    steps = [each for each in events[at + 1 :] if each.kind == STEP and each.inside[: len(inside)] == inside]
    optimizers = [found for step in steps for found in _stepped(program, step)]
    if not optimizers:
        return False
    spoken = frozenset().union(*(each.keys for each in events))
    mine = sources(program, key)
    held = [_held(program, each) for each in optimizers]
    return all(keys is not None and keys & spoken and not keys & mine for keys in held)


def _stepped(program: Program, step: Event) -> tuple[Thing, ...]:
    """The optimizer of a step: a scaler is told it, a scheduler is none."""
    asked, term = program.ask(Things), step.call.term
    assert isinstance(term.callee, Attr)
    found = asked.of(term.callee.base, step.frame)
    if found.kind == "scaler" and term.args:
        found = asked.of(term.args[0], step.frame)
    return () if found.kind == "scheduler" else (found,)


def _held(program: Program, optimizer: Thing) -> Keys | None:
    """The models of which an optimizer was given parameters; None where that is not to be seen of each that it may be."""
    if optimizer.made is None:
        return None
    found: set[Key] = set()
    for made in optimizer.made:
        if made.call is None or made.frame is None:
            return None
        given = made.call.args[0] if made.call.args else dict(made.call.kwargs).get("params")
        bases = list(program.ask(Takers).bases(given, made.frame, some=True)) if given is not None else []
        keys = frozenset(key for base, frame in bases for key in program.ask(Identities).of(base, frame))
        if not keys:
            return None
        found |= keys
    return frozenset(found)


class Left(NamedTuple):
    """``setting`` put a model into evaluation mode for the pass ``used``; the next round of the loop ``trains`` it.

    ``several``: it is one of these that the program makes, by what it is told.
    """

    setting: Setting
    used: Event
    trains: Event
    frame: Context
    loop: Loop
    several: bool = False


def left_in_evaluation(program: Program) -> Iterator[Left]:
    """Each call that leaves a model in evaluation mode, of which a loop's next round trains it; inner loops first.

    A call of which one activation shows which model that is comes with that one.
    """
    seen = set()
    found = [
        each
        for frame, loop, run in runs(program, evaluating=True)
        for each in _left(program, frame, loop, run)
        if uses_framework(program, frame.module)
    ]
    for left in sorted(found, key=lambda each: each.several):
        call, inner = left.setting.call, left.setting.frame
        assert call is not None
        assert inner is not None
        place = (inner.module, call.term.site)
        if place not in seen:
            seen.add(place)
            yield left


class LeftByHook(NamedTuple):
    """``setting`` put a model into evaluation mode in a hook, and the framework trains it on as the hook leaves it."""

    setting: Setting
    place: Place | None


def left_by_hooks(program: Program) -> Iterator[LeftByHook]:
    """Each call that leaves a model in evaluation mode in a hook of an epoch, after it was used there."""
    hooks, loops = program.ask(Hooks), program.ask(Loops)
    for cls, function, name in hooks.saying("epoch"):
        if not hooks.keeps_modes(name) or not loops.function_says(cls.module, function, program.knowledge.evaluates):
            continue
        frame = program.frame(cls.module, function)
        run = program.ask(Runs).of(frame, None)
        if (
            run is None
            or run.end is None
            or _is_put_back(program, cls, function)
            or tests_software(program, cls.module, function)
        ):
            continue
        for event in _evaluations(program, run.events):
            for setting in event.settings:
                call = setting.call
                if setting.word != EVALUATE or call is None or setting.frame is not frame or len(event.keys) != 1:
                    continue
                if any(program.ask(Moded).has(key) is False for key in event.keys) or run.end.of(event.keys) != {setting}:
                    continue
                if _is_of_framework(program, cls, call, event.keys):
                    assert isinstance(call.term.callee, Attr)
                    model = model_in(call.term.callee.base, function)
                    yield LeftByHook(setting, None if model is None else _at_end(function, model))


def _is_put_back(program: Program, cls: ClassValue, function: Function) -> bool:
    """Whether another hook of the class puts something into training mode."""
    hooks, loops, trains = program.ask(Hooks), program.ask(Loops), program.knowledge.ends_evaluation
    return any(
        other is not function and hooks.of(module, other) and loops.function_says(module, other, trains)
        for module, other in methods_of(program, cls)
    )


def _is_of_framework(program: Program, cls: ClassValue, call: CallStep, keys: Keys) -> bool:
    """Whether a framework trains a model: the object, what a hook is handed, or what the object's step runs."""
    assert isinstance(call.term.callee, Attr)
    if isinstance(call.term.callee.base, (Self, Param)):
        return True
    steps = (each for each in program.ask(Hooks).saying("loss") if each.cls in (cls, *program.lineage(cls)))
    passed = (program.ask(Runs).of(program.frame(each.cls.module, each.function), None) for each in steps)
    return any(event.kind == PASS and not keys.isdisjoint(event.keys) for run in passed if run for event in run.events)


def _left(program: Program, frame: Context, loop: Loop, run: Run) -> Iterator[Left]:
    for at, event in enumerate(run.events):
        words = {setting.word for setting in event.settings}
        if event.kind not in (PASS, METHOD) or EVALUATE not in words or words - {EVALUATE, BEFORE}:
            continue
        if event.kind == METHOD and program.ask(GradMode).off_in(program.ask(CallGraph).targets(event.call.term, event.frame)):
            continue
        if not trains(program, run.events, at) or not any(key in run.trained or is_trained(program, key) for key in event.keys):
            continue
        if not _is_applied(run.events, at):
            continue
        if all(program.ask(Moded).has(key) is False for key in event.keys):
            continue
        if any(holds_others(program, run.events, at, key) for key in event.keys):
            continue
        for setting in (each for each in event.settings if each.word == EVALUATE and _may_meet(program, each, event, loop)):
            if not _is_same(program, setting, event):
                continue
            used = next((each for each in _evaluations(program, run.events) if _under(each, event.keys, setting)), None)
            if used is not None:
                yield Left(setting, used, event, frame, loop, several=len(event.keys) > 1)


def _is_same(program: Program, setting: Setting, event: Event) -> bool:
    """Whether a mode was set of the very model that a pass runs: where a table chooses which one that is, by one attribute."""
    if len(event.keys) == 1:
        return True
    if setting.call is None or setting.frame is None or not isinstance(setting.call.term.callee, Attr):
        return False
    model, owner = setting.call.term.callee.base, setting.frame.function.cls
    own = isinstance(model, Attr) and isinstance(model.base, Self) and owner is not None and owner == event.frame.function.cls
    return own and model is model_of(program, event.call.term) and setting.frame.module == event.frame.module


def _may_meet(program: Program, setting: Setting, event: Event, loop: Loop) -> bool:
    """Whether a run may come to a setting and to a pass: not in two arms of a test that all rounds of a loop answer alike."""
    function = event.frame.function
    if setting.call is None or setting.frame is None or setting.frame.function is not function:
        return True
    if not all(within(function, loop, call) for call in (setting.call, event.call)):
        return True
    ways, frame = (conditions(led_to(function, call.term)) for call in (setting.call, event.call)), event.frame
    return meet(*(tuple(each for each in way if is_decided(program, each[0], frame, loop, frame)) for way in ways))


def trains(program: Program, events: list[Event], at: int) -> bool:
    """Whether a backward pass follows on a pass of a model, in the same loops or deeper, and gradients are recorded."""
    event = events[at]
    count = len(event.inside)
    followed = any(later.kind == BACKWARD and later.inside[:count] == event.inside for later in events[at + 1 :])
    return followed and program.ask(GradMode).at(event.frame, event.call.term.site) != OFF


def _is_applied(events: list[Event], at: int) -> bool:
    """Whether the gradients of a pass may go into a step: those of an attack on the inputs do not, where others do."""
    steps = [(number, each.inside) for number, each in enumerate(events) if each.kind == STEP]
    inside = events[at].inside
    near = (number > at and inside[: len(around)] == around[: len(inside)] for number, around in steps)
    return not steps or any(near)


def _evaluations(program: Program, events: list[Event]) -> Iterator[Event]:
    """The passes of models after which no backward pass comes, and models that are handed to somebody out of sight."""
    for at, event in enumerate(events):
        if event.kind == HANDED or (event.kind == PASS and not trains(program, events, at)):
            yield event


def _under(event: Event, keys: Keys, setting: Setting) -> bool:
    return keys <= event.keys and setting in event.settings


#: Methods of numbers, tensors and texts.
_NUMBERS = frozenset(("item", "mean", "sum", "tolist", "cpu", "numpy", "format"))


class Place(NamedTuple):
    """``where`` is "first" in the block at ``spot``, or "before" or "after" that statement; ``model`` is its name there."""

    where: str
    spot: Spot
    model: str


def place_of(left: Left) -> Place | None:
    """Where the mode could be set back, in the file of the call that set it; None where that is not one simple place."""
    call, frame = left.setting.call, left.setting.frame
    assert call is not None
    assert frame is not None
    assert isinstance(call.term.callee, Attr)
    given = call.term.callee.base
    model = model_in(given, frame.function)
    if model is None:
        return None
    if frame.function is not left.frame.function:
        return _at_end(frame.function, model)
    trains = _holding(frame.function, left.loop.body, _in_function(left, frame.function))
    if trains is None or not within(frame.function, left.loop, call):
        return None
    in_round = isinstance(given, Call) and within(frame.function, left.loop, given)  # the round has the model first
    if before(frame.function, trains, call) and not in_round:
        return Place("first", left.loop.spot, model)
    return Place("before", trains, model)


def model_run(program: Program, call: CallStep, function: Function, *, method: bool = False) -> str | None:
    """The model that a call runs, as it is written there: of ``model.generate(ids)``, or of any ``method``, its receiver."""
    callee = call.term.callee
    names = program.knowledge.runs_model | program.knowledge.other_passes
    if isinstance(callee, Attr) and (method or callee.name in names):
        callee = callee.base
    return model_in(callee, function)


def _in_function(left: Left, function: Function) -> Spot:
    """The training pass, or the call in the loop's function that leads to it."""
    frame, spot = left.trains.frame, left.trains.call.term.site
    while frame.function is not function and frame.call is not None and frame.caller is not None:
        spot, frame = frame.call.site, frame.caller
    return Spot(*spot)


def _holding(function: Function, block: Block, spot: Spot) -> Spot | None:
    """The statement of a block that holds a place."""
    return next((_spot(node) for node in block if in_block(function, (node,), spot)), None)


def _spot(node: Statement) -> Spot | None:
    if isinstance(node, CallStep):
        return node.statement
    return node.spot if isinstance(node, (If, Loop, With, Try, Exit)) else None


def _at_end(function: Function, model: str) -> Place | None:
    """The end of a function that has one."""
    exits = [node for node in of_kind(function, Exit) if node.kind == "return"]
    body = effects(function.body)
    if not body or len(exits) > 1 or function.generator:
        return None
    last = body[-1]
    if isinstance(last, Exit):
        runs = any(call.statement == last.spot and _computes(call) for call in calls_of(function))
        return Place("before", last.spot, model) if last.kind == "return" and not runs else None
    spot = _spot(last) if not exits else None
    return Place("after", spot, model) if spot is not None else None


def _computes(call: CallStep) -> bool:
    """Whether a call may run a model."""
    return not isinstance(call.term.callee, Ref) and last_name(call.term.callee) not in _NUMBERS
