"""Evaluation passes of a model in training mode: a loop trains it and validates it, and nothing puts it into evaluation mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.framework import uses_framework
from trainlint.facts.gradients.grad_mode import OFF, GradMode
from trainlint.facts.modes.evidence import is_trained, put_to_evaluation, put_to_training, sources
from trainlint.facts.modes.identity import Key
from trainlint.facts.modes.left import trains
from trainlint.facts.modes.measured import measured
from trainlint.facts.modes.moded import Moded
from trainlint.facts.modes.named import says_evaluation
from trainlint.facts.modes.rounds import PASS, SET, Event, Run
from trainlint.facts.modes.sampled import sampled
from trainlint.facts.modes.state import BEFORE, TRAIN
from trainlint.facts.modes.trainings import runs
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import Attr
from trainlint.ir.sketch import Loop
from trainlint.ir.walk import of_kind


class Unswitched(NamedTuple):
    """A pass of the model ``key`` over data to evaluate on, in the mode in which ``trains`` trains it.

    ``over`` is the loop of the evaluation pass, where it has one of its own in that function. ``restored``: the loop puts the
    model into training mode behind the pass, or in each round before it trains. ``sure``: more than one thing says that it
    evaluates.
    """

    key: Key
    passes: Event
    trains: Event
    over: Loop | None
    restored: bool
    frame: Frame
    loop: Loop
    sure: bool


def evaluated_in_training(program: Program) -> Iterator[Unswitched]:
    """Each evaluation pass of a model in training mode, once, in the innermost loop that trains it too; sure ones first."""
    seen = set()
    doubted = []
    for frame, loop, run in runs(program, evaluating=False):
        for found in _unswitched(program, frame, loop, run):
            if not uses_framework(program, frame.module):
                continue
            if found.sure and _place(found) not in seen:
                yield found
            if found.sure:
                seen.add(_place(found))
            else:
                doubted.append(found)
    for found in doubted:
        if _place(found) not in seen:
            seen.add(_place(found))
            yield found


def _place(found: Unswitched) -> tuple[str, str]:
    return found.passes.frame.module, found.passes.frame.function.qualname


def _unswitched(program: Program, frame: Frame, loop: Loop, run: Run) -> Iterator[Unswitched]:
    training: dict[Key, int] = {}
    for at, event in enumerate(run.events):
        if event.kind == PASS and len(event.keys) == 1 and _known(program, run, event) and trains(program, run.events, at):
            training.setdefault(next(iter(event.keys)), at)
    for at, event in enumerate(run.events):
        if event.kind != PASS or len(event.keys) != 1 or trains(program, run.events, at):
            continue
        (key,) = event.keys
        if key not in training:
            continue
        other = run.events[training[key]]
        if not _is_apart(event, other, frame):
            continue
        if any(each.kind == SET and key in each.keys for each in run.events[training[key] : at]) or _asks_for_it(event, other):
            continue  # the evaluation pass asks for this mode itself
        if not _in_training_mode(program, key, event, other):
            continue
        sure = _evaluates(program, event, frame, loop)
        if sure is not None:
            around = (*run.events[: training[key]], *run.events[at + 1 :])
            restored = any(each.kind == SET and key in each.keys for each in around)
            yield Unswitched(key, event, other, _own_loop(event, other), restored, frame, loop, sure)


def _asks_for_it(event: Event, training: Event) -> bool:
    """Whether the function of a pass, in which nothing trains, put the model into training mode before it."""
    if event.frame in training.frame.active():
        return False
    return any(setting.frame is not None and event.frame in setting.frame.active() for setting in event.settings)


def _is_apart(event: Event, training: Event, frame: Frame) -> bool:
    """Whether a pass is in a loop or in a function of its own, not beside what trains."""
    if event.frame.function is training.frame.function and event.inside == training.inside:
        # Another pass of the same step, as by the model that a loss is relative to; unless the whole loop is run once more.
        return event.frame is not training.frame and any(each is event.inside[-1] for each in of_kind(event.frame.function, Loop))
    return len(event.inside) > 1 or event.frame.function is not frame.function


def _in_training_mode(program: Program, key: Key, event: Event, training: Event) -> bool:
    """Whether the pass runs in the mode that was set for training, or in that in which modules are made, and it matters."""
    words = {setting.word for setting in event.settings}
    if words - {TRAIN, BEFORE} or not {each for each in event.settings if each.word == TRAIN} <= training.settings:
        return False
    matters = program.ask(Moded).has(key)
    if TRAIN in words:
        return matters is not False
    every = sources(program, key)
    wanted = matters is True or (matters is None and not program.ask(put_to_training).isdisjoint(every))
    return wanted and program.ask(put_to_evaluation).isdisjoint(every)


def _evaluates(program: Program, event: Event, frame: Frame, loop: Loop) -> bool | None:
    """Whether a pass is an evaluation: True where two of three things say so, since a name alone proves nothing; None for none.

    Gradients are off, the output is only measured, the names of the functions or of the data speak of evaluation.
    """
    if sampled(program, event.call, event.frame):
        return None
    off = program.ask(GradMode).at(event.frame, event.call.term.site) == OFF or _turns_off(program, event)
    named = says_evaluation(program, event, frame, loop)
    if off and named:
        return True
    said = (off, named, measured(program, event)).count(True)
    return said > 1 if said else None


def _turns_off(program: Program, event: Event) -> bool:
    """Whether a method of a library's model is called that records no gradients."""
    callee = event.call.term.callee
    return (
        isinstance(callee, Attr)
        and callee.name in program.knowledge.tables["passes.unrecorded"]["names"]
        and not any(isinstance(each, FunctionValue) for each in program.ask(CallGraph).targets(event.call.term, event.frame))
    )


def _known(program: Program, run: Run, event: Event) -> bool:
    (key,) = event.keys
    return key in run.trained or is_trained(program, key)


def _own_loop(event: Event, training: Event) -> Loop | None:
    """The outermost loop around a pass in its own function in which the other one is not."""
    own = of_kind(event.frame.function, Loop)
    inside = [each for each in event.inside if not any(each is other for other in training.inside)]
    return next((each for each in inside if any(each is loop for loop in own)), None)
