"""Clips without effect: behind the step that they are meant for, or before there are gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program
from trainlint.facts.steps.clipping import binds
from trainlint.facts.steps.events import Event, Place
from trainlint.facts.steps.paths import Way
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.ir.nodes import Term

_STEP = "step"
#: What decides about gradients: where one of these happens, they are others, or none.
_CHANGES = frozenset(("backward", "clear", "step"))


class Idle(NamedTuple):
    """A clip that changes nothing that is used: behind the step ("after"), or when there are no gradients ("before").

    ``other`` is the step, or the backward pass.
    """

    place: Place
    clip: Event
    when: str
    other: Event


def idle(program: Program) -> Iterator[Idle]:
    """The clips without effect, whichever way a round goes."""
    seen: set[tuple[str, Term]] = set()
    asked = program.ask(Rounds)
    for name in sorted({name.rpartition(".")[2] for name, word in program.knowledge.step_calls.items() if word == "clip"}):
        for found in asked.around(name, "backward", "step"):
            for clip in found.of_kind("clip"):
                key = (clip.place.frame.module, clip.place.call)
                answer = _idle(program, found, clip) if key not in seen else None
                if answer is not None:
                    seen.add(key)
                    yield Idle(clip.place, clip, *answer)


def _idle(program: Program, found: Round, clip: Event) -> tuple[str, Event] | None:
    if not binds(program, clip) or found.may_be_changed(program, *found.parts()):
        return None
    if any(last_name(node.term.callee) == _STEP for node, _ in clip.chain):
        return None  # an optimizer that clips by itself, in its own step
    answers: list[tuple[str, Event] | None] = []
    # A round that does nothing to gradients is none: what counts is the one before it, or the one behind.
    ends = [end for way in found.ways if (end := _decisive(way))]
    for way in found.ways:
        if clip in way.events:
            if way.events.count(clip) > 1:
                return None
            before, after = _decisive(way, until=clip), _decisive(way, since=clip)
            answers += (
                [_answer(last + before, after + last) for last in ends] if found.loop is not None else [_answer(before, after)]
            )
    first = answers[0] if answers else None
    return first if first is not None and all(answer is not None and answer[0] == first[0] for answer in answers) else None


def _decisive(way: Way, *, until: Event | None = None, since: Event | None = None) -> list[Event]:
    """What decides about gradients on a way: up to an event, behind it, or all along."""
    events = list(way.events)
    if until is not None:
        events = events[: events.index(until)]
    if since is not None:
        events = events[events.index(since) + 1 :]
    return [event for event in events if event.kind in _CHANGES]


def _answer(before: list[Event], after: list[Event]) -> tuple[str, Event] | None:
    """Whether a clip between these does nothing, and what shows it."""
    if not before or not after:
        return None
    last, following = before[-1], after[0]
    if last.kind == "step" and following.kind == "clear":
        again = next((event for event in after if event.kind != "clear"), None)
        return ("after", last) if again is not None and again.kind == "backward" else None
    if last.kind == "clear" and following.kind == "backward":
        return ("before", following)
    return None
