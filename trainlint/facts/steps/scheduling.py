"""Schedulers that step before the optimizer does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program, calls_of
from trainlint.facts.steps.events import Event, Place, seen_from
from trainlint.facts.steps.objects import Thing, Things
from trainlint.facts.steps.path_condition import key_of
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.facts.values import Frame
from trainlint.ir.nodes import And, Attr, Compare, Const, Element, Not, Select, Subscript, Term
from trainlint.ir.order import before
from trainlint.ir.terms import is_call_of, parts_of

#: How a test says that a number is small yet, and (where it fails) that it is large.
_BELOW, _ABOVE = ("Lt", "LtE"), ("Gt", "GtE")
#: With a third argument a `range` may go downwards.
_UPWARDS = 2


class Early(NamedTuple):
    """A scheduler's step before the first step of its optimizer in a round; ``target`` is that step as the place sees it."""

    place: Place
    step: Event
    target: Place | None
    round: Round


def early(program: Program) -> Iterator[Early]:
    """The schedulers that step before the optimizer."""
    seen: set[tuple[str, Term]] = set()
    asked = program.ask(Things)
    for found in program.ask(Rounds).around("step", "schedule", "step"):
        if found.loop is None:
            continue
        for way in found.ways:
            for answer in _early(asked, found, way.events):
                key = (answer.place.frame.module, answer.place.call)
                if key not in seen:
                    seen.add(key)
                    yield answer


def _early(asked: Things, found: Round, events: tuple[Event, ...]) -> Iterator[Early]:
    stepped: list[Event] = []
    for index, event in enumerate(events):
        if event.kind in ("step", "unknown"):
            stepped.append(event)
        if event.kind != "schedule" or event.way != "scheduler" or event.thing is None or event.call.args or event.call.kwargs:
            continue
        optimizer = _optimizer_of(asked, event.thing)
        if any(_may_have_stepped(asked, optimizer, event.thing, each) for each in stepped):
            continue
        step = next((each for each in events[index + 1 :] if each.kind == "step" and not _is_other(asked, optimizer, each)), None)
        if step is None or not _belong(asked, optimizer, step, found) or event.inner != step.inner[: len(event.inner)]:
            continue
        if _stepped_before(asked, found, optimizer, step):
            continue
        tests = {(test, arm) for test, arm, _ in step.tests}
        if all((test, arm) in tests or _at_first(asked, test, arm, frame, event.thing) for test, arm, frame in event.tests):
            yield Early(event.place, step, seen_from(step, event.frame), found)


def _optimizer_of(asked: Things, scheduler: Thing) -> Thing | None:
    """The optimizer that a scheduler was made with, where that can be seen."""
    made = scheduler.made
    if made is not None and len(made) == 1 and made[0].call is not None and made[0].frame is not None and made[0].call.args:
        return asked.of(made[0].call.args[0], made[0].frame)
    return None


def _may_have_stepped(asked: Things, optimizer: Thing | None, scheduler: Thing, event: Event) -> bool:
    """Whether an event may be a step of a scheduler's optimizer, made by whomever."""
    if event.kind == "unknown":
        return event.may_change(asked.program, scheduler, optimizer)
    return not _is_other(asked, optimizer, event)


def _is_other(asked: Things, optimizer: Thing | None, step: Event) -> bool:
    """Whether a step is surely made by another optimizer than this one."""
    return optimizer is not None and step.thing is not None and asked.same(optimizer, step.thing) is False


def _belong(asked: Things, optimizer: Thing | None, step: Event, found: Round) -> bool:
    """Whether a scheduler's optimizer is the one that is stepped; if nobody knows, whether there is but one optimizer."""
    if optimizer is not None and step.thing is not None and (answer := asked.same(optimizer, step.thing)) is not None:
        return answer
    keys = {each.thing.key if each.thing is not None else None for each in found.own_steps()}
    return len(keys) == 1


def _at_first(asked: Things, test: Term, arm: bool, frame: Frame, scheduler: Thing) -> bool:
    """Whether a test that some round passes is passed by the first: whether there is a scheduler, or few rounds so far."""
    while isinstance(test, Not):
        test, arm = test.operand, not arm
    if isinstance(test, And) and arm:
        return all(_at_first(asked, part, arm, frame, scheduler) for part in test.operands)
    if not isinstance(test, Compare):
        return arm and _may_be(asked, test, frame, scheduler)
    operator, left, right = test.op, test.left, test.right
    if isinstance(right, Const) and right.value is None:
        return operator == ("IsNot" if arm else "Is") and _may_be(asked, left, frame, scheduler)
    return operator in (_BELOW if arm else _ABOVE) and _counts(left) and not any(_counts(part) for part in parts_of(right))


def _may_be(asked: Things, term: Term, frame: Frame, scheduler: Thing) -> bool:
    """Whether a term is a scheduler, or one of two things that it may be: ``MultiStepLR(…) if milestones else None``."""
    parts = term.arms if isinstance(term, Select) else (term,)
    return any(key_of(asked.program, part, frame) == scheduler.key for part in parts)


def _counts(term: Term) -> bool:
    """Whether something is one more in each round: what a loop over `range` hands out, or the number that `enumerate` adds."""
    if isinstance(term, Subscript) and isinstance(term.key, Const) and term.key.value == 0:
        return bool(isinstance(term.base, Element) and is_call_of(term.base.of, "builtins.enumerate"))
    return bool(isinstance(term, Element) and is_call_of(term.of, "builtins.range") and len(term.of.args) <= _UPWARDS)


def _stepped_before(asked: Things, found: Round, optimizer: Thing | None, step: Event) -> bool:
    """Whether the optimizer steps before the loop begins: people do so to silence the warning."""
    assert found.loop is not None
    for node in calls_of(found.frame.function):
        callee = node.term.callee
        if not before(found.frame.function, node, found.loop) or not isinstance(callee, Attr) or callee.name != "step":
            continue
        stepped = asked.of(callee.base, found.frame)
        if stepped.kind == "scaler" and node.term.args:
            stepped = asked.of(node.term.args[0], found.frame)
        mine = optimizer or step.thing
        if stepped.kind in ("optimizer", "scaler") and (mine is None or asked.same(stepped, mine) is not False):
            return True
    return False
