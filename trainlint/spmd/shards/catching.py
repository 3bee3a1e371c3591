"""Loops that let the ranks with fewer rounds catch up with the others, here, in what is called, or in a caller."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from typing import NamedTuple

from trainlint.facts.loops import loops_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Bound, Frame, FunctionValue, Instance
from trainlint.finding import Spot
from trainlint.ir.nodes import BinOp, Param, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import Loop
from trainlint.ir.terms import parts_of
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.shards.amounts import ENDLESS
from trainlint.spmd.shards.examples import TURNS, Example
from trainlint.spmd.shards.measure import Measure
from trainlint.spmd.shards.meetings import Meeting, Meetings

_DEEPEST_CALL, _MOST_LOOPS = 3, 12


class _Run(NamedTuple):
    """A loop and the activation it runs in."""

    loop: Loop
    frame: Frame


def made_up_for(program: Program, asked: Meetings, loop: Loop, frame: Frame, meeting: Meeting) -> bool:
    """Whether other loops in which the ranks meet in the same way give all of them equally many rounds together.

    So it is when the sum comes out equal (``range(rank)``, then ``range(world - rank)``, in any order), and presumed when the
    other loop goes over a difference that cannot be counted (``range(most - mine)``), or until all are done.
    """
    own = _Run(loop, frame)
    around: Spot | None = loop.spot
    current: Frame | None = frame
    while current is not None and around is not None:
        others: list[_Run] = []
        for run in _loops(asked, current, around, 0):
            found = asked.of(run.loop, run.frame)
            if found is None:
                continue
            here = run.frame is frame
            if (here or (run.loop.kind != "while" and _alike(found, meeting))) and _until(run) and not _countable(program, run):
                return True
            if _alike(found, meeting):
                others.append(run)
        if current.caller is None:
            others.extend(run for run in _beside(asked, current) if _meets_alike(asked, run, meeting))
        if _balanced(program, own, others[:_MOST_LOOPS]):
            return True
        around = current.call.site if current.call is not None else None
        current = current.caller
    return False


def _meets_alike(asked: Meetings, run: _Run, meeting: Meeting) -> bool:
    found = asked.of(run.loop, run.frame)
    return found is not None and _alike(found, meeting)


def _beside(asked: Meetings, frame: Frame) -> Iterator[_Run]:
    """The loops of the other methods of an object, when nobody is seen to call this one (``__enter__``, ``__exit__``)."""
    if not isinstance(frame.receiver, Instance):
        return
    module = frame.receiver.module
    for qualname in frame.receiver.cls.methods.values():
        function = asked.program.modules[module].functions[qualname]
        if function is not frame.function and asked.communication.runs(function):
            yield from _loops(asked, asked.program.frame(module, function), None, 0)


def _alike(one: Meeting, other: Meeting) -> bool:
    """Whether what waits in one loop may be answered by what runs in another."""
    return one.model == other.model and (one.model or one.name == other.name)


def _loops(asked: Meetings, frame: Frame, around: Spot | None, depth: int) -> Iterator[_Run]:
    """The loops of an activation and of what it calls, but those around or within ``around``."""
    for loop, _ in loops_of(frame.function):
        if around is None or not (
            loop.spot == around or within(frame.function, loop, around) or within(frame.function, around, loop)
        ):
            yield _Run(loop, frame)
    if depth == _DEEPEST_CALL:
        return
    for node in calls_of(frame.function):
        call = node.term
        if around is not None and (call.site == around or within(frame.function, around, call)):
            continue
        for target in asked.index.targets(call, frame):
            if (
                isinstance(target, FunctionValue)
                and asked.communication.runs(target.function)
                and not frame.runs(target.function)
            ):
                yield from _loops(asked, asked.program.enter(target, call, frame), None, depth + 1)


def _until(run: _Run) -> bool:
    """Whether a loop seems to make the rounds that are left: it goes over a difference, or on until something holds."""
    return run.loop.kind == "while" or _subtracts(run.loop.subject, run.frame, 0)


def _subtracts(term: Term, frame: Frame, depth: int) -> bool:
    for part in parts_of(term):
        if isinstance(part, BinOp) and part.op == "Sub":
            return True
        if isinstance(part, Param) and depth < _DEEPEST_CALL:
            bound = frame.given(part)
            if isinstance(bound, Bound) and _subtracts(bound.term, bound.frame, depth + 1):
                return True
    return False


def _countable(program: Program, run: _Run) -> bool:
    """Whether the rounds of a loop can be counted without assuming anything but a number of ranks."""
    example = Example(0, {})
    counts = _counts(program, Evaluator(program, 0, lambda _: None).peers(), run, example)
    return run.loop.kind != "while" and counts is not None and not example.assumed and not example.open


def _balanced(program: Program, run: _Run, others: list[_Run]) -> bool:
    """Whether a loop makes, with one or two of the others or with all of them, equally many rounds on all ranks."""
    if not others:
        return False
    peers = Evaluator(program, 0, lambda _: None).peers()
    fixed: dict[Hashable, int] = {}
    judged = False
    candidates: list[tuple[_Run, ...]] = [*combinations(others, 1), *combinations(others, 2), tuple(others)]
    for turn in range(TURNS):
        example = Example(turn, fixed)
        counts = {id(each): _counts(program, peers, each, example) for each in (run, *others)}
        if turn == 0 or counts[id(run)] is None:
            continue  # in the first turn it is found out what stands for the number of ranks
        judged = True
        candidates = [each for each in candidates if _equal([counts[id(part)] for part in (run, *each)])]
        if not candidates:
            return False
    return judged and bool(candidates)


def _counts(program: Program, peers: list[Evaluator], run: _Run, example: Example) -> list[int] | None:
    """How many rounds each example rank makes; None when that is not known."""
    counts = [Measure(program, peer, example).rounds(run.loop, run.frame) for peer in peers]
    return [int(count) for count in counts if count is not None] if not {None, ENDLESS} & set(counts) else None


def _equal(counts: list[list[int] | None]) -> bool:
    known = [each for each in counts if each is not None]
    return len({sum(ranks) for ranks in zip(*known, strict=True)}) == 1
