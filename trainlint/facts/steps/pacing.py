"""Schedulers that count batches and are stepped once in an epoch, and those that count epochs and are stepped for each batch.

What a scheduler counts is read from what it was made with: a length of a loader is a number of batches, the bound of the loop
over epochs is a number of epochs. Anything else says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import called, last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.events import Event, Place
from trainlint.facts.steps.path_condition import key_of
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.facts.values import Frame, Made
from trainlint.ir.nodes import Call, Const, Subscript, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Loop
from trainlint.ir.terms import is_call_of, parts_of

_STEPS_PER_EPOCH = "steps_per_epoch"
_LENGTH, _RANGES = "builtins.len", ("range", "trange")
#: What people call what they take batches from, and how many of these it has.
_LOADER = "loader"
#: Numbers up to this are found in too many places to say what is counted.
_SMALL = 2


class Paced(NamedTuple):
    """A step of a scheduler that comes too seldom ("epoch") or too often ("batch"); ``counted`` is the argument that says so.

    ``target`` is the optimizer's step in the function of the scheduler's, if it stands there.
    """

    event: Event
    made: Made
    how: str
    counted: str
    step: Event
    target: Place | None


def wrong(program: Program) -> Iterator[Paced]:
    """The steps of schedulers that count something else."""
    seen: set[tuple[str, Term]] = set()
    for found in program.ask(Rounds).around("step", "schedule", "step"):
        if found.loop is None or tests_software(program, found.frame.module, found.frame.function):
            continue
        for event in found.of_kind("schedule"):
            answer = _wrong(program, found, event)
            key = (event.place.frame.module, event.place.call)
            if answer is not None and key not in seen:
                seen.add(key)
                yield answer


def _wrong(program: Program, found: Round, event: Event) -> Paced | None:
    made = event.thing.made if event.thing is not None else None
    if event.way != "scheduler" or event.call.args or event.call.kwargs or made is None or len(made) != 1:
        return None
    maker = made[0]
    if not isinstance(maker, Made) or maker.call is None or maker.frame is None:
        return None
    counts = dict(_counts(program, maker))
    steps = found.own_steps()
    if not counts or not steps:
        return None
    step = steps[-1]
    if any(each.may_change(program, step.thing, event.thing) for each in found.of_kind("unknown")):
        return None
    if not event.inner and all(each.inner for each in steps):
        name = next((name for name, term in counts.items() if _is_batches(name, term)), None)
        if name is not None and not _is_stepped_elsewhere(found, event):
            return Paced(event, maker, "epoch", name, step, step.place if step.frame is event.frame else None)
    elif event.inner == step.inner and not _asks_more(event, step):
        around = list(_around(found))
        name = next((name for name, term in counts.items() if _is_epochs(program, name, term, maker.frame, around)), None)
        if name is not None:
            return Paced(event, maker, "batch", name, step, None)
    return None


def _is_stepped_elsewhere(found: Round, event: Event) -> bool:
    """Whether the scheduler may be stepped for each batch, too."""
    return any(each is not event and each.inner for each in found.of_kind("schedule"))


def _asks_more(event: Event, step: Event) -> bool:
    """Whether the scheduler is stepped in some of the rounds only in which the optimizer is."""
    return not {(test, arm) for test, arm, _ in event.tests} <= {(test, arm) for test, arm, _ in step.tests}


def _counts(program: Program, made: Made) -> Iterator[tuple[str, Term]]:
    """The arguments of a scheduler's maker that say after how many of its steps something happens."""
    assert made.call is not None
    given = zip(program.knowledge.signatures.get(made.name, ()), made.call.args, strict=False)
    for name, term in (*given, *((name, term) for name, term in made.call.kwargs if name is not None)):
        if name in program.knowledge.counted_by:
            yield name, term


def _is_batches(name: str, count: Term) -> bool:
    """Whether a count is one of batches: it is made with the length of a loader."""
    if name == _STEPS_PER_EPOCH:
        return not (isinstance(count, Const) and count.value in (None, 1))
    return any(is_call_of(part, _LENGTH) and part.args and _is_loader(part.args[0]) for part in parts_of(count))


def _is_loader(term: Term) -> bool:
    while isinstance(term, Subscript):
        term = term.base
    name = called(term)
    return _LOADER in name.lower()


def _around(found: Round) -> Iterator[tuple[Loop, Frame]]:
    """The loops around a round, in its function and in those that call it."""
    for loop in found.outer:
        yield loop, found.frame
    frame = found.frame
    while (caller := frame.caller) is not None and (call := frame.call) is not None:
        node = next((node for node in calls_of(caller.function) if node.term is call), None)
        for loop in loops_around(caller.function, node) if node is not None else ():
            yield loop, caller
        frame = caller


def _is_epochs(program: Program, name: str, count: Term, frame: Frame, around: list[tuple[Loop, Frame]]) -> bool:
    """Whether a count is how often one of these loops runs."""
    if name == _STEPS_PER_EPOCH or (isinstance(count, Const) and (not isinstance(count.value, int) or count.value <= _SMALL)):
        return False
    wanted = key_of(program, count, frame)
    for loop, where in around:
        subject = loop.subject
        if loop.kind == "for" and isinstance(subject, Call) and last_name(subject.callee) in _RANGES and subject.args:
            bounds = subject.args[:2]
            if key_of(program, bounds[-1], where) == wanted:
                return True
    return False
