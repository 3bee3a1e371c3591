"""Gradients that are clipped while they are still multiplied by the scale of the loss, or where they are not the optimizer's."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.naming import names_of
from trainlint.facts.numerics.expressions import operations
from trainlint.facts.program import Program
from trainlint.facts.steps.events import Event, Place, seen_from
from trainlint.facts.steps.objects import Thing, Things, name_of
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.facts.values import Frame, Library, Made, Other
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import NAMED, Attr, BinOp, Call, Const, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import mentions, parts_of

#: A bound from which on nobody clips: the call is there for the norm that it returns.
_LARGE = 1e6


class Scaled(NamedTuple):
    """A clip of gradients that are still scaled; or (``again``) an ``unscale_`` of what was unscaled already.

    ``place`` is where the mistake is to be mended: the clip, or the call that leads to it from where the backward pass is.
    ``unscales`` is what is missing, in the words of that place. ``copies``: the optimizer has copies of the parameters ("may":
    if whoever starts the program says so), and the model's gradients, which are clipped, are not what it uses. ``by_hand``: no
    scaler does it, the program itself multiplies and divides.
    """

    place: Place
    clip: Event
    backward: Event
    step: Event
    unscales: str | None
    again: bool = False
    copies: Literal["no", "may", "yes"] = "no"
    by_hand: bool = False


def clipped_scaled(program: Program) -> Iterator[Scaled]:
    """The clips of gradients that are still multiplied by a scaler's factor."""
    seen: set[tuple[str, Term]] = set()
    for found in program.ask(Rounds).around("scale", "backward", "step"):
        steps = [step for step in found.of_kind("step") if step.way == "scaled"]
        if not steps or any(program.ask(Things).is_on(step.scaler) is False for step in steps) or _asks_scaler(found):
            continue
        for backward, event, again in _on_a_way(program, found):
            place = seen_from(event, backward.frame) or event.place
            if (place.frame.module, place.call) not in seen:
                seen.add((place.frame.module, place.call))
                unscales = None if again else _unscales(program, found, place, backward, steps)
                yield Scaled(place, event, backward, steps[0], unscales, again)


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


def clipped_copies(program: Program) -> Iterator[Scaled]:
    """The clips of a model's gradients where apex gives the optimizer copies of its own (levels O2 and O3)."""
    seen: set[tuple[str, Term]] = set()
    asked = program.ask(Rounds)
    copies = _makes_copies(program)
    for found in asked.around("scale_loss", "backward", "clip", "step") if copies != "no" else ():
        for way in found.ways:
            pending: Event | None = None
            for event in way.events:
                if event.kind == "backward":
                    pending = event if event.way == "apex" else None
                elif event.kind in ("step", "clear") or event.may_change(program, *found.parts()):
                    pending = None
                elif event.kind == "clip" and pending is not None and _of_model(program, event) and binds(program, event):
                    place = event.place
                    if (place.frame.module, place.call) not in seen:
                        seen.add((place.frame.module, place.call))
                        step = next(each for each in found.all if each.kind == "step")
                        yield Scaled(place, event, pending, step, None, copies=copies)


def clipped_scaled_by_hand(program: Program) -> Iterator[Scaled]:
    """The clips of gradients of a loss that was multiplied by a number, which something else is divided by afterwards."""
    seen: set[tuple[str, Term]] = set()
    for found in (
        each for name in sorted(program.knowledge.backward) for each in program.ask(Rounds).around(name, "backward", "clip")
    ):
        for way in found.ways:
            pending: Event | None = None
            for event in way.events:
                if event.kind == "backward":
                    pending = event if event.way == "plain" and _by_hand(program, event) else None
                elif event.kind in ("step", "clear", "unscale", "update") or event.may_change(program, *found.parts(), None):
                    pending = None
                elif event.kind == "clip" and pending is not None and binds(program, event, scaled=True):
                    place = seen_from(event, pending.frame) or event.place
                    if (place.frame.module, place.call) not in seen:
                        seen.add((place.frame.module, place.call))
                        yield Scaled(place, event, pending, pending, None, by_hand=True)


def _by_hand(program: Program, backward: Event) -> bool:
    """Whether a loss is multiplied by what is called a scale of it, and what comes of the gradients is divided by that.

    A loss that only weighs more than others is not: nobody takes its weight out again.
    """
    call = backward.call
    loss = call.callee.base if isinstance(call.callee, Attr) else None
    if not isinstance(loss, BinOp) or loss.op != "Mult":
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
                if not (isinstance(value, Other) and isinstance(value.term, Const)):
                    found = "may"
                elif value.term.value not in without:
                    return "yes"
    return found


def _of_model(program: Program, clip: Event) -> bool:
    """Whether what is clipped are the parameters of a model, as the model hands them out."""
    first = clip.call.args[0] if clip.call.args else None
    return isinstance(first, Call) and isinstance(first.callee, Attr) and first.callee.name in program.knowledge.hands_parameters


def _on_a_way(program: Program, found: Round) -> Iterator[tuple[Event, Event, bool]]:
    """Clips on some way behind a scaled backward pass and before anything that may unscale: the pass, the clip, whether again."""
    for way in found.ways:
        pending: Event | None = None
        unscaled: list[Event] = []
        for index, event in enumerate(way.events):
            if event.kind == "backward":
                pending = event if event.way == "scaled" and not unscaled else None
            elif event.kind in ("step", "update", "clear") or event.may_change(program, *found.parts()):
                pending = None
                if event.kind != "clear":
                    unscaled = []
            elif event.kind == "unscale":
                if pending is None and (before := _same_unscaled(unscaled, event)) is not None:
                    yield before, event, True
                pending = None
                unscaled.append(event)
            elif event.kind == "clip" and pending is not None and binds(program, event, scaled=True):
                step = next((each for each in way.events[index:] if each.kind == "step"), None)
                if step is None or step.way == "scaled":  # a plain step: the way without a scaler, under another name
                    yield pending, event, False


def _same_unscaled(unscaled: list[Event], event: Event) -> Event | None:
    """The earlier ``unscale_`` of the same optimizer by the same scaler."""
    if event.thing is None or event.inner:
        return None
    for before in unscaled:
        if before.thing is None or before.thing.key != event.thing.key or before.scaler is None or event.scaler is None:
            continue
        if before.scaler.key == event.scaler.key and before.term is not event.term:
            return before
    return None


def binds(program: Program, clip: Event, *, scaled: bool = False) -> bool:
    """Whether a clip has a bound that gradients can exceed; ``scaled``: and the bound is not multiplied by the scale."""
    bound = _bound(program, clip)
    if bound is None:
        return True
    for value in program.values(bound, clip.frame):
        if isinstance(value, Made) and (last_name(value.call.callee) if value.call is not None else "") == "float":
            return False
        if isinstance(value, Other) and isinstance(value.term, Const):
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


def _tests(event: Event, frame: Frame) -> set[tuple[Term, bool]]:
    return {(test, arm) for test, arm, where in event.tests if where is frame}


def called(program: Program, thing: Thing, frame: Frame) -> str | None:
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
