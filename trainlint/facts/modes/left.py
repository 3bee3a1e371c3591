"""Models that are trained in evaluation mode: an evaluation pass set it, and nothing sets it back before the next round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.framework import uses_framework
from trainlint.facts.gradients.grad_mode import OFF, GradMode
from trainlint.facts.modes.evidence import is_trained
from trainlint.facts.modes.identity import Key
from trainlint.facts.modes.moded import Moded
from trainlint.facts.modes.optimized import holds_others
from trainlint.facts.modes.rounds import BACKWARD, HANDED, PASS, Event, Run
from trainlint.facts.modes.state import BEFORE, EVALUATE, Setting
from trainlint.facts.modes.trainings import runs
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.sketch import Loop


class Left(NamedTuple):
    """``setting`` put the model ``key`` into evaluation mode for the pass ``used``; the next round of the loop ``trains`` it."""

    key: Key
    setting: Setting
    used: Event
    trains: Event
    frame: Frame
    loop: Loop


def left_in_evaluation(program: Program) -> Iterator[Left]:
    """Each call that leaves a model in evaluation mode, of which a loop's next round trains it; inner loops first."""
    seen = set()
    for frame, loop, run in runs(program, evaluating=True):
        for found in _left(program, frame, loop, run):
            call, inner = found.setting.call, found.setting.frame
            assert call is not None
            assert inner is not None
            place = (inner.module, call.term.site)
            if place not in seen and uses_framework(program, frame.module):
                seen.add(place)
                yield found


def _left(program: Program, frame: Frame, loop: Loop, run: Run) -> Iterator[Left]:
    for at, event in enumerate(run.events):
        words = {setting.word for setting in event.settings}
        if event.kind != PASS or EVALUATE not in words or words - {EVALUATE, BEFORE} or len(event.keys) != 1:
            continue
        (key,) = event.keys
        if not trains(program, run.events, at) or not (key in run.trained or is_trained(program, key)):
            continue
        if program.ask(Moded).has(key) is False or holds_others(program, run.events, at, key):
            continue
        for setting in (each for each in event.settings if each.word == EVALUATE):
            used = next((each for each in _evaluations(program, run.events) if _under(each, key, setting)), None)
            if used is not None:
                yield Left(key, setting, used, event, frame, loop)


def trains(program: Program, events: list[Event], at: int) -> bool:
    """Whether a backward pass follows on a pass of a model, in the same loops or deeper, and gradients are recorded."""
    event = events[at]
    if program.ask(GradMode).at(event.frame, event.call.term.site) == OFF:
        return False
    count = len(event.inside)
    return any(later.kind == BACKWARD and later.inside[:count] == event.inside for later in events[at + 1 :])


def _evaluations(program: Program, events: list[Event]) -> Iterator[Event]:
    """The passes of models after which no backward pass comes, and models that are handed to somebody out of sight."""
    for at, event in enumerate(events):
        if event.kind == HANDED or (event.kind == PASS and not trains(program, events, at)):
            yield event


def _under(event: Event, key: Key, setting: Setting) -> bool:
    return key in event.keys and setting in event.settings
