"""Gradients that are clipped at the wrong time: while they are still multiplied by a scale, or when nobody uses them any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import last_name
from trainlint.facts.naming import names_of, spelled
from trainlint.facts.program import Program
from trainlint.facts.steps.events import Event, Place, seen_from
from trainlint.facts.steps.rounds import Round, rounds
from trainlint.facts.steps.things import Thing
from trainlint.facts.steps.ways import Way
from trainlint.facts.values import Frame, Made, Other
from trainlint.model.terms import Term, parts_of

#: What decides about gradients: where one of these happens, they are others, or none.
_CHANGES = frozenset(("backward", "clear", "step", "unknown", "touch"))
#: A bound from which on nobody clips: the call is there for the norm that it returns.
_LARGE = 1e6


class Scaled(NamedTuple):
    """A clip of gradients that are still scaled; or (``again``) an ``unscale_`` of what was unscaled already.

    ``place`` is where the mistake is to be mended: the clip, or the call that leads to it from where the backward pass is.
    ``unscales`` is what is missing, in the words of that place.
    """

    place: Place
    clip: Event
    backward: Event
    step: Event
    unscales: str | None
    again: bool = False


def clipped_scaled(program: Program) -> Iterator[Scaled]:
    """The clips of gradients that are still multiplied by a scaler's factor."""
    seen: set[tuple[str, Term]] = set()
    for found in rounds(program).around("scale", "backward", "step"):
        steps = [step for step in found.of_kind("step") if step.way == "scaled"]
        if not steps or any(_is_off(program, step.scaler) for step in steps):
            continue
        for backward, event, again in _on_a_way(program, found):
            place = seen_from(event, backward.frame) or event.place
            if (place.frame.module, place.call) not in seen:
                seen.add((place.frame.module, place.call))
                unscales = None if again else _unscales(program, found, place, backward, steps)
                yield Scaled(place, event, backward, steps[0], unscales, again)


def _on_a_way(program: Program, found: Round) -> Iterator[tuple[Event, Event, bool]]:
    """Clips on some way behind a scaled backward pass and before anything that may unscale: the pass, the clip, whether again."""
    for way in found.ways:
        pending: Event | None = None
        unscaled: list[Event] = []
        for event in way.events:
            if event.kind == "backward":
                pending = event if event.way == "scaled" and not unscaled else None
            elif event.kind in ("touch", "unknown", "step", "update", "clear"):
                pending = None
                if event.kind != "clear":
                    unscaled = []
            elif event.kind == "unscale":
                if pending is None and (before := _same_unscaled(program, unscaled, event)) is not None:
                    yield before, event, True
                pending = None
                unscaled.append(event)
            elif event.kind == "clip" and pending is not None and _binds(program, event, scaled=True):
                yield pending, event, False


def _same_unscaled(program: Program, unscaled: list[Event], event: Event) -> Event | None:
    """The earlier ``unscale_`` of the same optimizer by the same scaler."""
    if event.thing is None or event.inner:
        return None
    for before in unscaled:
        if before.thing is None or before.thing.key != event.thing.key or before.scaler is None or event.scaler is None:
            continue
        if before.scaler.key == event.scaler.key and before.term is not event.term:
            return before
    return None


def _is_off(program: Program, scaler: Thing | None) -> bool:
    """Whether a scaler is made without effect: ``enabled=False``."""
    for made in (scaler.made if scaler is not None else None) or ():
        for name, value in made.call[3] if made.call is not None and made.frame is not None else ():
            if name == "enabled":
                values = program.values(value, made.frame)
                return bool(values) and all(isinstance(v, Other) and v.term[0] == "c" and not v.term[2] for v in values)
    return False


def _binds(program: Program, clip: Event, *, scaled: bool = False) -> bool:
    """Whether a clip has a bound that gradients can exceed; ``scaled``: and the bound is not multiplied by the scale."""
    bound = _bound(program, clip)
    if bound is None:
        return True
    for value in program.values(bound, clip.frame):
        if isinstance(value, Made) and (last_name(value.call[1]) if value.call is not None else "") == "float":
            return False
        if isinstance(value, Other) and value.term[0] == "c":
            number = value.term[2]
            if number is None or (isinstance(number, (int, float)) and (number >= _LARGE or number != number)):
                return False
    for part in parts_of(bound):
        name = last_name(part) if part[0] in ("r", "a", "p", "g") else None
        if name in ("inf", "Infinity", "PINF"):
            return False
        if scaled and (part[0] == "bin" or (part[0] == "call" and name is None) or "scale" in (name or "").lower()):
            return False
    return True


def _bound(program: Program, clip: Event) -> Term | None:
    """The bound that a clipping call is given."""
    call = clip.term
    for name, value in call[3]:
        if name in program.knowledge.clip_bounds:
            return value  # type: ignore[no-any-return]
    position = 0 if _is_method(call) else 1
    return call[2][position] if len(call[2]) > position else None


def _is_method(call: Term) -> bool:
    """``model.clip_grad_norm_(1.0)``, where the function would be ``clip_grad_norm_(parameters, 1.0)``."""
    return call[1][0] == "a" and len(call[2]) == 1


def _unscales(program: Program, found: Round, place: Place, backward: Event, steps: list[Event]) -> str | None:
    """``scaler.unscale_(optimizer)`` in the words of a place; None where it has none, or where it is not right each time."""
    if place.frame is not backward.frame or len(steps) != 1 or steps[0].thing is None or steps[0].scaler is None:
        return None
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


def _tests(event: Event, frame: Frame) -> set[tuple[Term, bool]]:
    return {(test, arm) for test, arm, where in event.tests if where is frame}


def called(program: Program, thing: Thing, frame: Frame) -> str | None:
    """What a thing is called in the function of a frame."""
    if thing.frame is frame:
        name = spelled(thing.term, frame.function)
        if name is not None:
            return name
    for made in thing.made or ():
        for naming in names_of(program, frame, made):
            if naming.always:
                return naming.text
    return None


# -- without effect --------------------------------------------------------------------------------------------------


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
    asked = rounds(program)
    for name in sorted(name for name, word in program.knowledge.step_calls.items() if word == "clip" and "." not in name):
        for found in asked.around(name, "backward", "step"):
            for clip in found.of_kind("clip"):
                key = (clip.place.frame.module, clip.place.call)
                answer = _idle(program, found, clip) if key not in seen else None
                if answer is not None:
                    seen.add(key)
                    yield Idle(clip.place, clip, *answer)


def _idle(program: Program, found: Round, clip: Event) -> tuple[str, Event] | None:
    if not _binds(program, clip) or any(event.kind in ("unknown", "touch") for event in found.all):
        return None
    answers: list[tuple[str, Event] | None] = []
    ends = [_decisive(way) for way in found.ways]
    for way in found.ways:
        if clip in way.events:
            if way.events.count(clip) > 1:
                return None
            before, after = _decisive(way, until=clip), _decisive(way, since=clip)
            answers += [_answer(last + before, after + last) for last in ends] if found.loop is not None else [_answer(before, after)]
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
        again = next((event for event in after if event.kind not in ("clear",)), None)
        return ("after", last) if again is not None and again.kind == "backward" else None
    if last.kind == "clear" and following.kind == "backward":
        return ("before", following)
    return None

