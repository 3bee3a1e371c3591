"""Loops that make more rounds on some ranks than on others while the ranks meet in every round, and how parts are evened out.

How unequal parts can be evened out, in the words of the program: what a repair shows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple

from trainlint.domains.data_parallel.models import Parallel
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, BinOp, Call, Term, Unknown
from trainlint.ir.order import within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, statements_of, walk
from trainlint.program.call_graph import last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.loops import is_range
from trainlint.program.program import Program
from trainlint.program.values import Context, Library
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.loop_rounds import deciding
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.shards.amounts import ENDLESS, Example, Examples
from trainlint.spmd.shards.measure import Measure
from trainlint.spmd.shards.meetings import Meeting, Meetings, made_up_for
from trainlint.spmd.uniform_check import Agreement

_ARITHMETIC = ("Mod", "FloorDiv", "Mult")


class Origin(NamedTuple):
    """Where a rank is given its part."""

    module: str
    spot: Spot
    keyword: str | None
    """For a call that can be told to make the parts equal, the keyword that tells it."""


class Uneven(NamedTuple):
    """A loop, what it waits in, how many rounds example ranks make (and of how many items), and where the parts are made.

    ``left`` is where the loop may end before, for a reason that is out of sight.
    """

    module: str
    function: Function
    loop: Loop
    frame: Context
    meeting: Meeting
    rounds: tuple[int, ...]
    items: int | None
    origins: tuple[Origin, ...]
    left: Spot | None


def uneven(program: Program) -> list[Uneven]:
    """Every such loop, once (measured once)."""
    return list(_found(program))


def _found(program: Program) -> Iterator[Uneven]:
    asked = program.ask(Meetings)
    for module, function in _candidates(asked):
        for loop in of_kind(function, Loop):
            if not (loop.names if loop.kind == "for" else _counts_by_rank(asked, loop, program.frame(module, function))):
                continue
            if not asked.conceivable(loop, module, function):
                continue
            found = _judged(program, asked, module, function, loop)
            if found is not None and not _said(program, found):
                yield found


def _said(program: Program, found: Uneven) -> bool:
    """Whether it is reported already that some ranks never come to the loop, or to what it waits in."""
    return any(_concerns(each, found) for each in program.ask(Agreement).reported() if not each.counts)


def _concerns(divergence: Divergence, found: Uneven) -> bool:
    call, event, guard = divergence.call, divergence.event.where, divergence.guard
    if (found.meeting.module, found.meeting.spot) in ((call.module, call.spot), (event.module, event.spot)):
        return True
    function, loop = found.function, found.loop
    if call.module == found.module and within(function, loop, call.spot):
        return not (guard.module == found.module and (guard.spot == loop.spot or within(function, loop, guard.spot)))
    frame = found.frame
    while frame.caller is not None:
        if frame.call is not None and (frame.caller.module, frame.call.site) == (call.module, call.spot):
            return True
        frame = frame.caller
    return False


def _candidates(asked: Meetings) -> Iterator[tuple[str, Function]]:
    """The functions with loops in which something communicates, or is trained."""
    seen: set[int] = set()
    for step in asked.communication.steps.values():
        if id(step.site.function) not in seen:
            seen.add(id(step.site.function))
            yield step.site.module, step.site.function
    if asked.parallel.active:
        for each in asked.loops.training_passes():
            if id(each.function) not in seen:
                seen.add(id(each.function))
                yield each.module, each.function


def _judged(program: Program, asked: Meetings, module: str, function: Function, loop: Loop) -> Uneven | None:
    for frame in calling_contexts(program, module, function):
        meeting = asked.of(loop, frame)
        if meeting is None:
            continue
        found = measured(program, loop, frame)
        if found is None or _joined(program, asked, frame) or made_up_for(program, asked, loop, frame, meeting):
            continue
        rounds, items, origins = found
        return Uneven(module, function, loop, frame, meeting, rounds, items, origins, asked.way_out(loop))
    return None


def _counts_by_rank(asked: Meetings, loop: Loop, frame: Context) -> bool:
    """Whether a ``while`` loop may be about numbers in which the rank has a part."""
    parts = [part for _, *ends in deciding((loop.subject,), frame) for part in ends]
    return bool(parts) and any(asked.sample.evaluate(part, frame)[1] for part in (*parts, loop.subject))


def measured(program: Program, loop: Loop, frame: Context) -> tuple[tuple[int, ...], int | None, tuple[Origin, ...]] | None:
    """How many rounds of a loop each example rank makes, when that differs for some length that nothing forbids."""
    peers = Evaluator(program, 0, lambda _: None).peers()
    depends = False
    for example in Examples():
        counts: list[int] = []
        ranks = [Measure(program, peer, example) for peer in peers]
        assumed: list[set[Hashable]] = []
        for rank in ranks:
            example.assumed = set()
            count = rank.rounds(loop, frame)
            assumed.append(example.assumed)
            if count is None or count == ENDLESS:
                break
            counts.append(int(count))
            if not rank.ranked and not rank.origins and not example.open:
                return None  # nothing here depends on the rank
        depends = depends or any(rank.ranked or rank.origins for rank in ranks)
        if example.is_last and not depends and counts:
            return None
        if not _comparable(assumed, example):
            continue  # rank 0 has one thing and the others have another: who knows how long they are
        if len(counts) < len(peers) or max(counts) - min(counts) <= any(rank.dropping for rank in ranks):
            continue
        if not any(_forbidden(rank) for rank in ranks):
            origins = {origin: None for rank in ranks for origin in rank.origins}
            return tuple(counts), example.only_size, tuple(_places(origins, program.knowledge.padded_by))
    return None


def _comparable(assumed: list[set[Hashable]], example: Example) -> bool:
    """Whether all ranks have the same things, or some a number more than the others, who have a known one in its place."""
    common, every = set.intersection(*assumed), set.union(*assumed)
    return all(each in (common, every) for each in assumed) and all(map(example.is_number, every - common))


def _places(origins: dict[tuple[Term, Context], None], padded_by: Mapping[str, str]) -> Iterator[Origin]:
    """Where what gives a rank its part stands in the source."""
    for term, frame in origins:
        if isinstance(term, Call):
            yield Origin(frame.module, term.site, padded_by.get(last_name(term.callee) or ""))
            continue
        if isinstance(term, Unknown):
            yield Origin(frame.module, Spot(term.line, term.column, term.line, term.column + 1), None)
            continue
        for node in statements_of(frame.function):
            spot = _holding(node, term)
            if spot is not None:
                yield Origin(frame.module, spot, None)
                break


def _holding(node: object, term: Term) -> Spot | None:
    """The place of a statement in which a term stands."""
    if isinstance(node, CallStep):
        return node.term.site if _within(term, node.term) else None
    if isinstance(node, (Store, Keep)):
        return node.spot if _within(term, node.value) else None
    if isinstance(node, Exit):
        return node.spot if node.value is not None and _within(term, node.value) else None
    if isinstance(node, Loop):
        return node.spot if _within(term, node.subject) else None
    return None


def _within(part: Term, whole: Term) -> bool:
    return any(each is part for each in parts_of(whole))


# -- what makes unequal parts harmless ---------------------------------------------------------------------------------


def _forbidden(measure: Measure) -> bool:
    """Whether a check in one of the functions that made the parts stops the program for these lengths."""
    for frame in list(measure.frames):
        for node in statements_of(frame.function):
            if not isinstance(node, If) or not _counts(node.condition):
                continue
            stopped, passed = _stops(node.body), _stops(node.orelse)
            if stopped == passed:
                continue
            truth = measure.truth(node.condition, frame)
            if truth is None or truth == stopped:
                return True
    return False


def _stops(block: tuple[object, ...]) -> bool:
    last = block[-1] if block else None
    return isinstance(last, Exit) and last.kind in ("raise", "exit", "return")


def _counts(condition: Term) -> bool:
    """Whether a condition computes with lengths: a check that parts are equal does."""
    return any(isinstance(part, BinOp) and part.op in _ARITHMETIC for part in parts_of(condition))


def _joined(program: Program, asked: Meetings, frame: Context) -> bool:
    """Whether the ranks that are done shadow the others (``Join``), here or in a caller."""
    functions = set()
    current: Context | None = frame
    while current is not None:
        functions.add(id(current.function))
        current = current.caller
    for name in program.knowledge.joins:
        last = name.rpartition(".")[2]
        for site in asked.index.sites_named(last):
            if id(site.function) not in functions:
                continue
            where = frame if site.function is frame.function else program.frame(site.module, site.function)
            callee = site.call.term.callee
            if program.may_be_one_of(callee, where, program.knowledge.joins):
                return True
            if isinstance(callee, Attr) and last_name(callee) == last and asked.parallel.kinds(callee.base, where):
                return True
    return False


def joining(program: Program, found: Uneven) -> str | None:
    """The ``with`` in which the ranks that are done shadow the others: of a DDP model that the loop calls by name."""
    for node in walk(found.loop.body):
        if isinstance(node, CallStep) and program.ask(Parallel).kinds(node.term.callee, found.frame) == {"ddp"}:
            name = name_in(node.term.callee, found.function)
            if name is not None:
                return f"with {name}.join():"
    return None


def shortened(program: Program, found: Uneven) -> tuple[Term, str] | None:
    """For a loop over ``range(rank, n, world)``: the call, and one that stops where every rank has had its last item."""
    call = found.loop.subject
    if not isinstance(call, Call) or not call.args[2:]:
        return None
    if not is_range(program, call, found.frame):
        return None
    start, stop, step = (_text(part, program, found) for part in call.args)
    if start is None or stop is None or step is None:
        return None
    return call, f"range({start}, {stop} // {step} * {step}, {step})"


def _text(term: Term, program: Program, found: Uneven) -> str | None:
    """A name, an attribute or the length of one."""
    if isinstance(term, Call) and len(term.args) <= 1 and not term.kwargs:
        measures = program.knowledge.measures
        for value in program.values(term.callee, found.frame):
            if isinstance(value, Library) and value.name in measures and term.args:
                inner = name_in(term.args[0], found.function)
                return f"len({inner})" if inner is not None else None
    return name_in(term, found.function)
