"""Schedulers that step before the optimizer does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program, calls_of
from trainlint.facts.steps.events import Event, Place, seen_from
from trainlint.facts.steps.rounds import Round, rounds
from trainlint.facts.steps.things import Thing, Things, things
from trainlint.model.terms import Term


class Early(NamedTuple):
    """A scheduler's step before the first step of its optimizer in a round; ``target`` is that step as the place sees it."""

    place: Place
    step: Event
    target: Place | None
    round: Round


def early(program: Program) -> Iterator[Early]:
    """The schedulers that step before the optimizer."""
    seen: set[tuple[str, Term]] = set()
    asked = things(program)
    for found in rounds(program).around("step", "schedule", "step"):
        if found.loop is None or _stepped_before(asked, found):
            continue
        for way in found.ways:
            for answer in _early(asked, found, way.events):
                key = (answer.place.frame.module, answer.place.call)
                if key not in seen:
                    seen.add(key)
                    yield answer


def _early(asked: Things, found: Round, events: tuple[Event, ...]) -> Iterator[Early]:
    for index, event in enumerate(events):
        if event.kind in ("step", "unknown"):
            return
        if event.kind != "schedule" or event.way != "scheduler" or event.thing is None or event.term[2] or event.term[3]:
            continue
        step = next((each for each in events[index + 1 :] if each.kind == "step"), None)
        if step is None or not _belong(asked, event.thing, step, found) or event.inner != step.inner[: len(event.inner)]:
            continue
        tests = {(test, arm) for test, arm, _ in step.tests}
        if all((test, arm) in tests for test, arm, _ in event.tests):
            yield Early(event.place, step, seen_from(step, event.frame), found)


def _belong(asked: Things, scheduler: Thing, step: Event, found: Round) -> bool:
    """Whether a scheduler is that of the optimizer that is stepped; if nobody knows, whether there is but one optimizer."""
    made = scheduler.made
    if made is not None and len(made) == 1 and made[0].call is not None and made[0].frame is not None and made[0].call[2]:
        optimizer = asked.of(made[0].call[2][0], made[0].frame)
        if step.thing is not None and (answer := asked.same(optimizer, step.thing)) is not None:
            return answer
    keys = {each.thing.key if each.thing is not None else None for each in found.own_steps()}
    return len(keys) == 1


def _stepped_before(asked: Things, found: Round) -> bool:
    """Whether the optimizer steps before the loop begins: people do so to silence the warning."""
    assert found.loop is not None
    before = [node.term for node in calls_of(found.frame.function) if node.term[4].line < found.loop.spot.line]
    stepped = [call[1][1] for call in before if call[1][0] == "a" and call[1][2] == "step"]
    return any(asked.of(receiver, found.frame).kind in ("optimizer", "scaler") for receiver in stepped)
