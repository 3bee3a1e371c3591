"""Scalers that are passed by: plain steps with scaled gradients, scaled steps with plain ones, no ``update`` at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.precision.loss_scaling import Scaling
from trainlint.domains.training_step.clipping import called
from trainlint.flow.events import Event, Place
from trainlint.flow.objects import Thing, Things
from trainlint.flow.path_condition import answers, exclude
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.nodes import OBJECTS, Attr, Term
from trainlint.ir.terms import parts_of
from trainlint.program.program import Program


class Bypassed(NamedTuple):
    """A step that does not go with the gradients. ``other`` shows why.

    ``how``: "plain", a plain step behind a scaled backward pass; "unscaled", a step through a scaler that has scaled nothing;
    "another", a step of another optimizer than the one that was unscaled. ``code`` is the step as it should be, in the words of
    its place; ``update`` what is to follow, too.
    """

    place: Place
    other: Event
    how: str
    code: str | None = None
    update: str | None = None


def bypassed(program: Program) -> Iterator[Bypassed]:
    """The steps that pass a scaler by."""
    seen: set[tuple[str, Term]] = set()
    asked = program.ask(Rounds)
    for found in (*asked.around("scale", "backward", "step"), *asked.around("step", "backward", "step")):
        for answer in (*_plain(program, found), *_unscaled(program, found), *_another(program, found)):
            key = (answer.place.frame.module, answer.place.call)
            if key not in seen:
                seen.add(key)
                yield answer


def _plain(program: Program, found: Round) -> Iterator[Bypassed]:
    for way in found.ways:
        passes: list[Event] = []
        others: list[Event] = []
        for event in way.events:
            if event.kind == "backward":
                passes.append(event)
            elif event.kind in ("unknown", "touch"):
                others.append(event)
            elif event.kind == "unscale":
                passes = []
            elif event.kind == "step" and event.way == "plain" and passes and event in found.own_steps():
                if any(each.way != "scaled" for each in passes) or event.thing is None:
                    continue
                if any(each.may_change(program, event.thing, passes[-1].scaler) for each in others):
                    continue
                if _stepped_otherwise(program, found, event, passes[-1]) or not _is_on(program, passes[-1], event):
                    continue
                code, update = _through(program, found, passes[-1], event)
                yield Bypassed(event.place, passes[-1], "plain", code, update)


def _stepped_otherwise(program: Program, found: Round, plain: Event, backward: Event) -> bool:
    """Whether a scaler may step this optimizer, too, where the plain step is made.

    In the other arm of a test that leads to it, none does; but where the backward pass is made under a test of its own, that one
    may ask the same in other words, and where the scaler is asked, it may say that it scales nothing.
    """
    asked = program.ask(Things)
    assert plain.thing is not None
    scaled = [step for step in found.of_kind("step") if step.way == "scaled"]
    near = [step for step in scaled if step.thing is None or asked.same(step.thing, plain.thing) is not False]
    if not near:
        return False
    led = answers(program, plain.tests)
    if not answers(program, backward.tests).items() <= led.items() or _asks(program, plain, backward.scaler):
        return True
    return not all(exclude(program, plain.tests, step.tests) for step in near)


def _asks(program: Program, step: Event, scaler: Thing | None) -> bool:
    """Whether a test that leads to a step asks something of the scaler."""
    if scaler is None:
        return True
    asked = program.ask(Things)
    parts = ((part, frame) for test, _, frame in step.tests for part in parts_of(test) if isinstance(part, OBJECTS))
    return any(asked.same(asked.of(part, frame), scaler) for part, frame in parts)


def _is_on(program: Program, backward: Event, step: Event) -> bool:
    """Whether the scaler scales when this step is made: it always does, or nothing more is asked before the step."""
    more = {(test, arm) for test, arm, _ in step.tests} - {(test, arm) for test, arm, _ in backward.tests}
    enabled = program.ask(Things).is_on(backward.scaler)
    return enabled is True or (enabled is None and not more)


def _through(program: Program, found: Round, backward: Event, step: Event) -> tuple[str | None, str | None]:
    """``scaler.step(optimizer)`` in the words of a step's place, and ``scaler.update()`` where nobody calls it."""
    if step.place.call is not step.term or step.term.args or step.term.kwargs or backward.scaler is None or step.thing is None:
        return None, None
    scaler, optimizer = called(program, backward.scaler, step.frame), called(program, step.thing, step.frame)
    if scaler is None or optimizer is None or not isinstance(step.term.callee, Attr) or step.inner:
        return None, None
    return f"{scaler}.step({optimizer})", None if found.of_kind("update") else f"{scaler}.update()"


def _unscaled(program: Program, found: Round) -> Iterator[Bypassed]:
    """Steps through a scaler that is switched on, where every backward pass of the round is that of the loss as it is."""
    passes = found.of_kind("backward")
    if any(each.way != "plain" for each in passes):
        return
    if any(
        program.ask(Scaling).by_hand(each.call.callee.base, each.frame) for each in passes if isinstance(each.call.callee, Attr)
    ):
        return
    for step in found.of_kind("step"):
        if found.may_be_changed(program, step.thing, step.scaler):
            continue
        if step.way == "scaled" and program.ask(Things).is_on(step.scaler) is True:
            yield Bypassed(step.place, passes[0], "unscaled")


def _another(program: Program, found: Round) -> Iterator[Bypassed]:
    """``scaler.unscale_(one)``, then ``scaler.step(other)``, and nobody steps the one or unscales the other."""
    asked = program.ask(Things)
    for way in found.ways:
        unscaled = [event for event in way.events if event.kind == "unscale" and event.thing is not None]
        steps = [event for event in way.events if event.kind == "step" and event.thing is not None]
        for step in steps:
            if any(event.may_change(program, step.thing, step.scaler) for event in way.events):
                continue
            for before in unscaled:
                assert before.thing is not None
                assert step.thing is not None
                if step.way != "scaled" or any(asked.same(before.thing, each.thing) is not False for each in steps if each.thing):
                    continue
                if all(asked.same(each.thing, step.thing) is False for each in unscaled if each.thing):
                    yield Bypassed(step.place, before, "another")


# -- update ----------------------------------------------------------------------------------------------------------


class NotUpdated(NamedTuple):
    """A step through a scaler that nobody updates in the loop; ``code`` is what is missing, in the words of ``after``."""

    step: Event
    round: Round
    code: str | None


def not_updated(program: Program) -> Iterator[NotUpdated]:
    """The scalers that step in a loop in which nothing updates them; one finding for the last such step of a round."""
    seen: set[tuple[str, Term]] = set()
    for found in program.ask(Rounds).around("step", "backward", "step"):
        steps = [step for step in found.of_kind("step") if step.way == "scaled"]
        steps = [step for step in steps if found.loop is not None and not _may_be_updated(program, found, step)]
        if not steps:
            continue
        step = steps[-1]
        key = (step.place.frame.module, step.place.call)
        if key in seen or program.ask(Things).is_on(step.scaler) is False:
            continue
        seen.add(key)
        scaler = called(program, step.scaler, step.frame) if step.scaler is not None else None
        yield NotUpdated(step, found, f"{scaler}.update()" if scaler is not None and not step.inner else None)


def _may_be_updated(program: Program, found: Round, step: Event) -> bool:
    """Whether the scaler of a step may be updated in the rounds in which it is made: not in the other arm of a test."""
    if step.scaler is None or found.may_be_changed(program, step.scaler):
        return True
    updates = [event for event in found.of_kind("update") if event.scaler is None or _is_of(program, event.scaler, step.scaler)]
    return not all(exclude(program, step.tests, update.tests) for update in updates)


def _is_of(program: Program, updated: Thing, scaler: Thing) -> bool:
    return program.ask(Things).same(updated, scaler) is not False
