"""Scalers and frameworks that are bypassed: steps, backward passes and clips that those in charge of the gradients do not see.

Plain steps with scaled gradients, scaled steps with plain ones, no ``update`` at the end.

A framework that wraps an optimizer expects to run the backward pass itself: it scales the loss, divides it by the number of
batches that make a step, shards or averages gradients. What tells that it is in charge is the optimizer that steps: it is what
the framework handed back. DeepSpeed is not among them: its newer engines see a plain `backward`, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.precision.loss_scaling import Scaling
from trainlint.domains.training_step.clipping import called
from trainlint.flow.events import Event, Place, once
from trainlint.flow.objects import Thing, Things
from trainlint.flow.path_condition import answers, exclude
from trainlint.flow.protocols import Moment, Protocol
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.nodes import OBJECTS, Attr, Const, Subscript, Term
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import last_name
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library, LibraryObject, Unresolved, Value


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


@once("place")
def bypassed(program: Program) -> Iterator[Bypassed]:
    """The steps that pass a scaler by."""
    asked = program.ask(Rounds)
    for found in (*asked.around("scale", "backward", "step"), *asked.around("step", "backward", "step")):
        for report, at in (*SCALED.over(program, [found]), *UNSCALED.over(program, [found])):
            step = at.event
            if report == "plain":
                backward = at.last("backward")
                yield Bypassed(step.place, backward, report, *_through(program, found, backward, step))
            else:
                other = _unscaled_other(at) if report == "another" else found.of_kind("backward")[0]
                assert other is not None
                yield Bypassed(step.place, other, report)


def _is_judged(at: Moment) -> bool:
    """Whether a plain step is one of an optimizer of its own, which nobody may have changed, and the scaler scales then."""
    step, backward = at.event, at.last("backward")
    return (
        step.thing is not None
        and step in at.round.own_steps()
        and not any(each.may_change(at.program, step.thing, backward.scaler) for each in at.events[: at.number])
        and not _stepped_otherwise(at.program, at.round, step, backward)
        and _is_on(at.program, backward, step)
    )


def _stepped_otherwise(program: Program, found: Round, plain: Event, backward: Event) -> bool:
    """Whether a scaler may step this optimizer, too, where the plain step is made.

    In the other arm of a test that leads to it, none does; but where the backward pass is made under a test of its own, that one
    may ask the same in other words, and where the scaler is asked, it may say that it scales nothing.
    """
    asked = program.ask(Things)
    near = [step for step in found.of_kind("step") if step.way == "scaled" and not asked.apart(step.thing, plain.thing)]
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
    if backward.is_part_of_call:
        return None, None  # the scaler has no such methods
    scaler, optimizer = called(program, backward.scaler, step.frame), called(program, step.thing, step.frame)
    if scaler is None or optimizer is None or not isinstance(step.term.callee, Attr) or step.inner:
        return None, None
    return f"{scaler}.step({optimizer})", None if found.of_kind("update") else f"{scaler}.update()"


def _is_plain(at: Moment) -> bool:
    """Whether every backward pass of the round is that of the loss as it is, and nobody scales it by hand."""
    passes = at.round.of_kind("backward")
    asked, losses = at.program.ask(Scaling), ((each.call.callee, each.frame) for each in passes)
    return all(each.way == "plain" for each in passes) and not any(
        asked.by_hand(callee.base, frame) for callee, frame in losses if isinstance(callee, Attr)
    )


def _is_of_scaler(at: Moment) -> bool:
    """Whether a scaler that is switched on steps, and nobody else changes anything in the round."""
    step = at.event
    if step.way != "scaled" or at.program.ask(Things).is_on(step.scaler) is not True:
        return False
    return not at.round.may_be_changed(at.program, step.thing, step.scaler)


def _unscaled_other(at: Moment) -> Event | None:
    """What was unscaled of another optimizer, which steps nowhere on this way, where nobody unscales the one that steps."""
    asked, step = at.program.ask(Things), at.event
    if (
        step.way != "scaled"
        or step.thing is None
        or any(each.may_change(at.program, step.thing, step.scaler) for each in at.events)
    ):
        return None

    def is_left(thing: Thing, kind: str) -> bool:
        return all(asked.apart(each.thing, thing) for each in at.events if each.kind == kind and each.thing)

    unscaled = (each for each in at.events if each.kind == "unscale" and each.thing and is_left(each.thing, "step"))
    return next(unscaled, None) if is_left(step.thing, "unscale") else None


SCALED = Protocol(
    "TL403",
    "Gradients of a loss that a scaler scales",
    "computed",
    """
    computed scaled | backward, of a scaled loss      | scaled
    computed scaled | backward                        | mixed
    scaled mixed    | unscale                         | computed
    scaled          | step, that passes the scaler by | scaled   | plain
    """,
    {
        "of a scaled loss": lambda at: at.event.way == "scaled",
        "that passes the scaler by": lambda at: at.event.way == "plain" and _is_judged(at),
    },
)
UNSCALED = Protocol(
    "TL403",
    "Gradients that a scaler is to unscale",
    "plain, if no loss is scaled | scaled",
    """
    plain  | step, by a scaler that is on | plain  | unscaled
    plain  | step, of another optimizer's | plain  | another
    scaled | step, of another optimizer's | scaled | another
    """,
    {
        "if no loss is scaled": _is_plain,
        "by a scaler that is on": _is_of_scaler,
        "of another optimizer's": _unscaled_other,
    },
)


# -- update ----------------------------------------------------------------------------------------------------------


class NotUpdated(NamedTuple):
    """A step through a scaler that nobody updates in the loop; ``code`` is what is missing, in the words of ``after``."""

    step: Event
    round: Round
    code: str | None


@once("step.place")
def not_updated(program: Program) -> Iterator[NotUpdated]:
    """The scalers that step in a loop in which nothing updates them; one finding for the last such step of a round."""
    for found in program.ask(Rounds).around("step", "backward", "step"):
        steps = [step for step in found.of_kind("step") if step.way == "scaled"]
        steps = [step for step in steps if found.loop is not None and not _may_be_updated(program, found, step)]
        if steps and program.ask(Things).is_on(steps[-1].scaler) is not False:
            step = steps[-1]
            scaler = called(program, step.scaler, step.frame) if step.scaler is not None else None
            yield NotUpdated(step, found, f"{scaler}.update()" if scaler is not None and not step.inner else None)


def _may_be_updated(program: Program, found: Round, step: Event) -> bool:
    """Whether the scaler of a step may be updated in the rounds in which it is made: not in the other arm of a test."""
    if step.scaler is None or found.may_be_changed(program, step.scaler):
        return True
    asked = program.ask(Things)
    updates = (event for event in found.of_kind("update") if not asked.apart(event.scaler, step.scaler))
    return not all(exclude(program, step.tests, update.tests) for update in updates)


# -- frameworks --------------------------------------------------------------------------------------------------------

_PRECISION, _WHOLE = "mixed_precision", ("no", "bf16")
_WINDOW = "gradient_accumulation_steps"


class Unmanaged(NamedTuple):
    """A call that passes the framework by: a backward pass or a clip (``what``); ``manager`` is its name there, if it has one.

    ``made`` is the call that put the framework in charge, ``method`` the one of its methods that is to be called.
    """

    event: Event
    what: str
    made: LibraryObject
    manager: str | None
    method: str


@once("event.place")
def unmanaged(program: Program) -> Iterator[Unmanaged]:
    """The backward passes and clips that a framework should have run."""
    for found in program.ask(Rounds).around("step", "backward", "step"):
        if tests_software(program, found.frame.module, found.frame.function):
            continue
        passes = found.of_kind("backward")
        made = next((made for step in found.own_steps() if (made := _preparer(program, step)) is not None), None)
        if made is None or not all(_preparer(program, step) is not None for step in found.own_steps()):
            continue
        if all(event.way == "plain" for event in passes) and not (_is_whole(program, made) and not _says(program, made, _WINDOW)):
            for event in passes:
                yield Unmanaged(event, "backward", made, _manager(program, made, event.frame), "backward")
        yield from _clips(program, found, made)


def _clips(program: Program, found: Round, made: LibraryObject) -> Iterator[Unmanaged]:
    """Clips of gradients that may be scaled still, or sharded, where the framework has a method for it."""
    method = program.knowledge.managed_clips.get(made.name)
    if method is None or found.of_kind("unscale", "touch") or _is_whole(program, made):
        return
    for event in found.of_kind("clip"):
        values = program.values(event.call.callee, event.frame)
        libraries = [value for value in values if isinstance(value, Library) and not _is_own(value.name, made.name)]
        if libraries and last_name(event.call.callee) == method and not found.may_be_changed(program, *found.parts()):
            yield Unmanaged(event, "clip", made, _manager(program, made, event.frame), method)


def _is_own(name: str, framework: str) -> bool:
    """Whether a function is of the framework itself."""
    return name.partition(".")[0] == framework.partition(".")[0]


def _preparer(program: Program, step: Event) -> LibraryObject | None:
    """The call by which a framework prepared the optimizer of a step; None where it did not, or may not have."""
    if step.thing is None:
        return None
    values = list(_whole(program, step.thing.term, step.thing.frame))
    prepared = [value for value in values if isinstance(value, LibraryObject) and value.name in program.knowledge.managed_by]
    made = prepared[0] if len(prepared) == 1 else None
    if made is None or made.call is None:
        return None
    # An attribute may have held the optimizer as it was, before it was handed over.
    given = [part for argument in made.call.args for part in parts_of(argument)]
    return made if all(value is made or (isinstance(value, LibraryObject) and value.call in given) for value in values) else None


def _whole(program: Program, term: Term, frame: Context) -> Iterator[Value]:
    """What a term stands for; of an item of what a call returns, the call."""
    for value in program.values(term, frame):
        if isinstance(value, Unresolved) and isinstance(value.term, Subscript):
            yield from program.values(value.term.base, value.frame)
        else:
            yield value


def _manager(program: Program, made: LibraryObject, frame: Context) -> str | None:
    """What the framework's object is called in a function."""
    assert made.call is not None
    if made.frame is None or not isinstance(made.call.callee, Attr):
        return None
    return called(program, program.ask(Things).of(made.call.callee.base, made.frame), frame)


def _is_whole(program: Program, made: LibraryObject) -> bool:
    """Whether a framework is told not to scale gradients."""
    told = list(_said(program, made, _PRECISION))
    return bool(told) and all(
        isinstance(each, Unresolved) and isinstance(each.term, Const) and each.term.value in _WHOLE for each in told
    )


def _says(program: Program, made: LibraryObject, keyword: str) -> bool:
    """Whether the framework's object is made with an argument."""
    return any(True for _ in _said(program, made, keyword))


def _said(program: Program, made: LibraryObject, keyword: str) -> Iterator[Value]:
    """What the object that prepared something was given for an argument."""
    assert made.call is not None
    if made.frame is None or not isinstance(made.call.callee, Attr):
        return
    for value in program.values(made.call.callee.base, made.frame):
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            for name, term in value.call.kwargs:
                if name == keyword:
                    yield from program.values(term, value.frame)
