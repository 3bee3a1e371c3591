"""Gradients that are not emptied where they must be, or emptied where they must not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.rounds import Round, rounds
from trainlint.facts.steps.things import Thing, Things, things
from trainlint.facts.values import Frame

_COMPUTED = ("plain", "scaled", "apex")


class Uncleared(NamedTuple):
    """A round that computes and applies gradients and never empties them."""

    round: Round
    backward: Event
    step: Event


def uncleared(program: Program) -> Iterator[Uncleared]:
    """The optimizers whose gradients nobody empties in a loop, by the step that applies them."""
    asked = things(program)
    seen: set[tuple[str, object]] = set()
    for found in rounds(program).around("step", "backward"):
        if found.loop is None or any(event.kind in ("unknown", "touch") for event in found.all):
            continue
        backward = [event for event in found.of_kind("backward") if event.way in _COMPUTED]
        if not backward or len(backward) < len(found.of_kind("backward")):
            continue
        for step in found.own_steps():
            key = (step.place.frame.module, step.place.call)
            if key not in seen and _is_uncleared(asked, found, step):
                seen.add(key)
                yield Uncleared(found, backward[0], step)


def _is_uncleared(asked: Things, found: Round, step: Event) -> bool:
    optimizer = step.thing
    if optimizer is None or optimizer.kind != "optimizer" or found.loop is None:
        return False
    if _made_inside(found, optimizer.values):
        return False
    return all(_is_others(asked, clear, optimizer) for clear in found.of_kind("clear"))


def _is_others(asked: Things, clear: Event, optimizer: Thing) -> bool:
    """Whether what is emptied is certainly not what an optimizer applies: another optimizer's."""
    return clear.thing is not None and clear.thing.kind == "optimizer" and asked.same(clear.thing, optimizer) is False


def _made_inside(found: Round, values: tuple[object, ...]) -> bool:
    """Whether the optimizer may be a new one in each round."""
    assert found.loop is not None
    for value in values:
        call, frame = getattr(value, "call", None), getattr(value, "frame", None)
        while call is not None and isinstance(frame, Frame):
            if frame.function is found.frame.function and found.loop.spot.holds(call[4]):
                return True
            call, frame = frame.call, frame.caller
    return False
