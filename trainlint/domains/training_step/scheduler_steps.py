"""Steps of schedulers: before the optimizer has stepped, or at another pace than they count in.

Schedulers that step before the optimizer does.

Schedulers that count batches and are stepped once in an epoch, and those that count epochs and are stepped for each
batch.

What a scheduler counts is read from what it was made with: a length of a loader is a number of batches, the bound
of the loop over epochs is a number of epochs. Anything else says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.flow.events import Event, Place, once
from trainlint.flow.objects import Thing, Things
from trainlint.flow.path_condition import answers, key_of
from trainlint.flow.protocols import Hit, Moment, Protocol
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.nodes import And, Attr, BinOp, Call, Compare, Const, Dict, Not, Ref, Select, SequenceDisplay, Subscript, Term
from trainlint.ir.order import before
from trainlint.ir.sketch import Exit, Keep, Loop, Store
from trainlint.ir.terms import container_of, is_call_of, is_none, parts_of, whole_number
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import called
from trainlint.program.consteval import number
from trainlint.program.contexts import calling_contexts
from trainlint.program.heap import at, position
from trainlint.program.induction import gone_through, is_range, round_number, shifted
from trainlint.program.library_uses import Hooks, overriding
from trainlint.program.loops import Loops, loops_leading_to
from trainlint.program.origins import allocation, reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.values import Argument, Context, Instance, LibraryObject

#: How a test says that a number is small yet, and (where it fails) that it is large.
_BELOW, _ABOVE = ("Lt", "LtE"), ("Gt", "GtE")


@once("moment.own.place")
def early(program: Program) -> Iterator[Hit]:
    """The schedulers that step before the first step of their optimizer in a round."""
    rounds = program.ask(Rounds).around("step", "schedule", "step")
    yield from EARLY.over(program, (found for found in rounds if found.loop is not None))


def _may_have_stepped(at: Moment) -> bool:
    """Whether an event may be a step of the scheduler's optimizer, made by whomever."""
    scheduler, asked = at.own.thing, at.program.ask(Things)
    optimizer = _optimizer_of(asked, scheduler)
    if at.event.kind == "unknown":
        return at.event.may_change(at.program, scheduler, optimizer)
    return not asked.apart(optimizer, at.event.thing)


def _is_in_turn(at: Moment) -> bool:
    """Whether the scheduler surely steps in the same rounds as its optimizer, in the first at least."""
    step, event, found, asked = at.event, at.own, at.round, at.program.ask(Things)
    optimizer = _optimizer_of(asked, event.thing)
    return (
        _belong(asked, optimizer, step, found)
        and event.inner == step.inner[: len(event.inner)]
        and not _stepped_before(asked, found, optimizer, step)
        and all(each[:2] in step.arms or _at_first(asked, *each, event.thing) for each in event.tests)
    )


EARLY = Protocol(
    "TL703",
    "A scheduler and its optimizer",
    "fresh",
    """
    fresh | step unknown, if it may step the optimizer      | stepped
    fresh | schedule, the one in question, without a metric | early
    early | step, if it may step the optimizer              | stepped | early, unless one may be left out at first
    """,
    {
        "if it may step the optimizer": _may_have_stepped,
        "the one in question, without a metric": lambda at: (
            at.number == at.tracked and at.event.way == "scheduler" and not (at.event.call.args or at.event.call.kwargs)
        ),
        "one may be left out at first": lambda at: not _is_in_turn(at),
    },
    tracks="schedule",
)


def _optimizer_of(asked: Things, scheduler: Thing | None) -> Thing | None:
    """The optimizer that a scheduler was made with, where that can be seen."""
    made = scheduler.made if scheduler is not None else None
    if made is not None and len(made) == 1 and made[0].call is not None and made[0].frame is not None and made[0].call.args:
        return asked.of(made[0].call.args[0], made[0].frame)
    return None


def _belong(asked: Things, optimizer: Thing | None, step: Event, found: Round) -> bool:
    """Whether a scheduler's optimizer is the one that is stepped; if nobody knows, whether there is but one optimizer."""
    if optimizer is not None and step.thing is not None and (answer := asked.same(optimizer, step.thing)) is not None:
        return answer
    origins = {each.thing.origin if each.thing is not None else None for each in found.own_steps()}
    return len(origins) == 1


def _at_first(asked: Things, test: Term, arm: bool, frame: Context, scheduler: Thing | None) -> bool:
    """Whether a test that some round passes is passed by the first: whether there is a scheduler, which, or few rounds so far."""
    while isinstance(test, Not):
        test, arm = test.operand, not arm
    if isinstance(test, And) and arm:
        return all(_at_first(asked, part, arm, frame, scheduler) for part in test.operands)
    if not isinstance(test, Compare):
        return arm and _may_be(asked, test, frame, scheduler)
    operator, left, right = test.op, test.left, test.right
    if operator in ("Eq", "NotEq") and isinstance(right, Const) and isinstance(right.value, str):
        return True  # by the name of one that is chosen
    if is_none(right):
        return operator == ("IsNot" if arm else "Is") and _may_be(asked, left, frame, scheduler)
    return (
        operator in (_BELOW if arm else _ABOVE)
        and _is_round_number(asked.program, left, frame)
        and not any(_is_round_number(asked.program, part, frame) for part in parts_of(right))
    )


def _may_be(asked: Things, term: Term, frame: Context, scheduler: Thing | None) -> bool:
    """Whether a term is a scheduler, or one of two things that it may be: ``MultiStepLR(…) if milestones else None``."""
    parts = term.arms if isinstance(term, Select) else (term,)
    return scheduler is not None and any(key_of(asked.program, part, frame) == scheduler.key for part in parts)


def _is_round_number(program: Program, term: Term, frame: Context) -> bool:
    """Whether something is one more in each round."""
    number = round_number(program, term, frame)
    return number is not None and number.by is not None and number.by > 0


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
        if stepped.kind in ("optimizer", "scaler") and not asked.apart(stepped, optimizer or step.thing):
            return True
    return False


_STEPS_PER_EPOCH = "steps_per_epoch"
_LENGTH = "builtins.len"
#: What people call what they take batches from, and how many of these it has.
_LOADER = "loader"
#: How Lightning is handed schedulers: a pair of lists, or a dict with this item, which may be a dict with that one.
_PAIR, _SCHEDULERS, _SCHEDULER = 2, "lr_scheduler", "scheduler"
#: Numbers up to this are found in too many places to say what is counted.
_SMALL = 2


class Paced(NamedTuple):
    """A step of a scheduler that comes too seldom ("epoch") or too often ("batch"); ``counted`` is the argument that says so.

    Or one that is made for each epoch beside that of each batch ("both"): that is ``step`` then, and nothing is counted.
    ``target`` is the optimizer's step in the function of the scheduler's, if it stands there.
    """

    event: Event
    made: LibraryObject
    how: str
    counted: str
    step: Event
    target: Place | None


@once("event.place")
def wrong(program: Program) -> Iterator[Paced]:
    """The steps of schedulers that count something else."""
    for found in program.ask(Rounds).around("step", "schedule", "step"):
        if found.loop is None or tests_software(program, found.frame.module, found.frame.function):
            continue
        paced = [answer for event in found.of_kind("schedule") if (answer := _wrong(program, found, event)) is not None]
        yield from paced or _doubled(program, program.ask(Rounds).outside(found))


def _wrong(program: Program, found: Round, event: Event) -> Paced | None:
    made = event.thing.made if event.thing is not None else None
    if event.way != "scheduler" or event.call.args or event.call.kwargs or made is None:
        return None
    answers = [_paced(program, found, event, maker) for maker in made]  # one resumes, the other begins
    return answers[0] if None not in answers else None


def _paced(program: Program, found: Round, event: Event, maker: LibraryObject | Instance) -> Paced | None:
    if not isinstance(maker, LibraryObject) or maker.call is None or maker.frame is None:
        return None
    counts = dict(_interval_arguments(program, maker))
    steps = found.own_steps()
    if not counts or not steps:
        return None
    step = steps[-1]
    if any(each.may_change(program, step.thing, event.thing) for each in found.of_kind("unknown")):
        return None
    if not event.inner and all(each.inner for each in steps):
        drawn = frozenset(_drawn_from(program, steps))
        name = next((name for name, term in counts.items() if _is_batches(program, name, term, maker.frame, drawn)), None)
        if name is not None and not _is_stepped_elsewhere(found, event):
            return Paced(event, maker, "epoch", name, step, step.place if step.frame is event.frame else None)
    elif event.inner == step.inner and not _asks_more(event, step):
        around = list(loops_leading_to(found.loop, found.frame)) if found.loop is not None else []
        name = next((name for name, term in counts.items() if _is_epochs(program, name, term, maker.frame, around)), None)
        name = name or _soon_over(program, found, counts, maker.frame, around)
        if name is not None:
            return Paced(event, maker, "batch", name, step, None)
    return None


def _doubled(program: Program, found: Round | None) -> Iterator[Paced]:
    """The steps of schedulers in each epoch that step for each batch of the epoch as well, under the same conditions."""
    steps = found.own_steps() if found is not None else []
    if found is None or not steps or not all(step.inner and step.inner[-1].kind == "for" for step in steps):
        return
    asked, stepped = program.ask(Things), answers(program, steps[-1].tests)
    plain = [each for each in found.of_kind("schedule") if each.way == "scheduler" and not (each.call.args or each.call.kwargs)]
    for event in plain:
        made, here = event.thing.made if event.thing is not None else None, answers(program, event.tests)
        changed = any(each.may_change(program, event.thing) for each in found.of_kind("unknown"))
        if event.thing is None or event.inner or made is None or not isinstance(made[0], LibraryObject) or changed:
            continue
        if any(isinstance(each, BinOp) and each.op == "Add" for _, each in _interval_arguments(program, made[0])):
            continue  # as many batches as there are, and as many epochs
        for other in plain:
            there = answers(program, other.tests)
            alike = here.items() <= {**stepped, **there}.items() and there.items() <= {**stepped, **here}.items()
            if not alike or other.inner != steps[-1].inner or not other.thing or asked.same(event.thing, other.thing) is not True:
                continue
            if any(event in way.events and other in way.events for way in found.ways):
                yield Paced(event, made[0], "both", "", other, None)


def _is_stepped_elsewhere(found: Round, event: Event) -> bool:
    """Whether the scheduler may be stepped for each batch, too."""
    return any(each is not event and each.inner for each in found.of_kind("schedule"))


def _asks_more(event: Event, step: Event) -> bool:
    """Whether the scheduler is stepped in some of the rounds only in which the optimizer is."""
    return not {(test, arm) for test, arm, _ in event.tests} <= {(test, arm) for test, arm, _ in step.tests}


def _interval_arguments(program: Program, made: LibraryObject) -> Iterator[tuple[str, Term]]:
    """The arguments of a scheduler's maker that say after how many of its steps something happens."""
    assert made.call is not None
    given = zip(program.knowledge.signatures.get(made.name, ()), made.call.args, strict=False)
    for name, term in (*given, *((name, term) for name, term in made.call.kwargs if name is not None)):
        if name in program.knowledge.counted_by:
            yield name, term


def _drawn_from(program: Program, steps: list[Event]) -> Iterator[Argument]:
    """What the loops right around steps of optimizers draw from, where that is made."""
    for step in steps:
        for frame in step.frame.active():
            for loop in of_kind(frame.function, Loop):
                if loop is step.inner[-1]:
                    yield from (allocation(program, *each) for each in gone_through(program, loop, frame))


def _is_batches(program: Program, name: str, count: Term, made: Context, drawn: frozenset[Argument] = frozenset()) -> bool:
    """Whether a count is one of batches: made with the length of a loader, or of what is ``drawn`` from; or a trainer counted."""
    if name == _STEPS_PER_EPOCH:
        return not (isinstance(count, Const) and count.value in (None, 1))
    counts = program.knowledge.tables["optimizers.batches"]["names"]
    parts = [(part, each.frame) for each in reached(program, count, made, _reckoned_from) for part in parts_of(each.term)]
    if any(isinstance(part, Attr) and part.name in counts for part, _ in parts):
        return True
    lengths = ((part.args[0], at) for part, at in parts if is_call_of(part, _LENGTH) and part.args)
    return any(_is_loader(whole) or allocation(program, whole, at) in drawn for whole, at in lengths)


def _reckoned_from(term: Term, frame: Context) -> list[Argument] | None:
    """The numbers from which another one is reckoned, by arithmetic or by a function of Python (``int``, ``max``)."""
    if isinstance(term, BinOp):
        return [Argument(side, frame) for side in term.sides]
    if isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name != _LENGTH:
        return [Argument(each, frame) for each in term.args]
    return [] if is_call_of(term, _LENGTH) else None


def _is_loader(term: Term) -> bool:
    term = container_of(term)
    name = called(term)
    return _LOADER in name.lower()


def _is_epochs(program: Program, name: str, count: Term, made: Context, around: list[tuple[Loop, Context]]) -> bool:
    """Whether a count is how often one of these loops runs."""
    if name == _STEPS_PER_EPOCH or (isinstance(count, Const) and (not isinstance(count.value, int) or count.value <= _SMALL)):
        return False
    wanted = key_of(program, count, made)
    for subject, frame in _ranges(program, around):
        first, last = subject.args[0], subject.args[:2][-1]
        end, added = shifted(last)  # ``range(1, epochs + 1)``
        whole = end if first is not last and isinstance(first, Const) and first.value == added else last
        if key_of(program, whole, frame) == wanted:
            return True
    return False


def _soon_over(
    program: Program, found: Round, counts: dict[str, Term], made: Context, around: list[tuple[Loop, Context]]
) -> str | None:
    """The argument that lists numbers of epochs: the last comes before a loop over epochs ends, with batches inside."""
    if found.loop is None or not any(True for _ in program.ask(Loops).iterated(found.loop.subject, found.frame)):
        return None
    ends = [number(program, subject.args[:2][-1], frame) for subject, frame in _ranges(program, around)]
    for name, term in counts.items():
        listed = reaching_definition(program, term, made).term
        if isinstance(listed, SequenceDisplay) and listed.items:
            numbers = [whole_number(each) for each in listed.items]
            last = max((each for each in numbers if each is not None), default=0) if None not in numbers else 0
            if last > _SMALL and any(end is not None and last < end for end in ends):
                return name
    return None


def _ranges(program: Program, around: list[tuple[Loop, Context]]) -> Iterator[tuple[Call, Context]]:
    """The ranges of numbers over which these loops go."""
    for loop, where in around:
        for subject, frame in gone_through(program, loop, where) if loop.kind == "for" else ():
            if is_range(subject) and subject.args:
                yield subject, frame


class Configured(NamedTuple):
    """A scheduler that counts batches and that a framework steps once in an epoch: what makes it, and in which file.

    At ``place`` it is handed over; ``cure`` is the item beside it that says that it is to be stepped for each batch.
    """

    made: Call
    module: str
    place: tuple[str, Spot]
    cure: tuple[str, str]


def configured(program: Program) -> Iterator[Configured]:
    """The schedulers that methods return to a framework (table ``hooks.schedulers``) without saying how often they step."""
    table = program.knowledge.tables["hooks.schedulers"]
    seen: set[Call] = set()
    for cls, function, name in overriding(program, table):
        item, often = table[name].split()
        for frame in calling_contexts(program, cls.module, function) if program.ask(Hooks).runs(cls) else ():
            for node in of_kind(function, Exit):
                for term in handed_over(program, node.value, frame, item) if node.value is not None else ():
                    for call, module in _counting(program, *term):
                        if call not in seen:
                            seen.add(call)
                            yield Configured(call, module, (cls.module, node.spot), (item, often))


def _counting(program: Program, term: Term, frame: Context) -> Iterator[tuple[Call, str]]:
    """The calls that make a scheduler and tell it a number of batches, each with its file."""
    for made in program.values(term, frame):
        if isinstance(made, LibraryObject) and made.call is not None and made.frame is not None:
            arguments = _interval_arguments(program, made) if program.knowledge.optimizer_kind(made.name) == "scheduler" else ()
            if any(_is_batches(program, name, count, made.frame) for name, count in arguments):
                yield made.call, made.frame.module


def handed_over(program: Program, value: Term, frame: Context, item: str) -> Iterator[tuple[Term, Context]]:
    """The schedulers in what is returned: the second of a pair of lists, or ``lr_scheduler`` of a dict, which may be a dict."""
    found = reaching_definition(program, value, frame)
    if isinstance(found.term, SequenceDisplay):
        parts = found.term.items
        if len(parts) == _PAIR and isinstance(parts[1], SequenceDisplay):
            for each in parts[1].items:
                yield from _alone(program, each, found.frame, item)
        else:
            for each in parts:
                if isinstance(each, Dict):
                    yield from handed_over(program, each, found.frame, item)
    elif isinstance(found.term, Dict):
        place = position(found.term, _SCHEDULERS)
        if place is not None:
            yield from _alone(program, at(found.term, place), found.frame, item)


def _alone(program: Program, value: Term, frame: Context, item: str) -> Iterator[tuple[Term, Context]]:
    """A scheduler as it is, or in a dict in which nobody puts beside it how often it steps."""
    found = reaching_definition(program, value, frame)
    if not isinstance(found.term, Dict):
        yield value, frame
        return
    place = position(found.term, _SCHEDULER)
    said = any(key is None or (isinstance(key, Const) and key.value == item) for key, _ in found.term.items)
    function = found.frame.function
    targets = [*(each.target for each in of_kind(function, Store)), *(each.target for each in of_kind(function, Keep))]
    later = any(isinstance(target, Subscript) and target.base is found.term for target in targets)
    if place is not None and not said and not later:
        yield at(found.term, place), found.frame
