"""Whether every round of a loop waits for the other ranks: by a collective of all of them, or a step of a parallel model.

Also loops that let the ranks with fewer rounds catch up with the others, here, in what is called, or in a caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from trainlint.domains.communication import Communication
from trainlint.domains.data_parallel.models import Parallel
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, conditions, walk_tested
from trainlint.ir.nodes import Attr, BinOp, Call, Compare, Element, LoopPhi, Param, Term, Unknown
from trainlint.ir.order import within
from trainlint.ir.sketch import Block, CallStep, Choice, Exit, Function, If, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import Entered, Region, of_kind, reachable, walk
from trainlint.program.call_graph import CallGraph
from trainlint.program.loops import Loops
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import activations
from trainlint.program.values import Argument, Context, FunctionValue, Instance, Library
from trainlint.spmd.questions import DEEPEST
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.shards.amounts import ENDLESS, Example, Examples
from trainlint.spmd.shards.measure import Measure
from trainlint.spmd.symbols import UNKNOWN

#: From how many calls down an unknown test counts against a meeting.
_FAR = 2
#: What a condition is not made of when it is the same in all rounds.
_ROUND = (LoopPhi, Element, Unknown)


class Meeting(NamedTuple):
    """A call in which the ranks meet, where it stands, and what it is called."""

    module: str
    spot: Spot
    name: str
    model: bool
    """Whether it is the step of a parallel model, not a collective."""


class Meetings:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.communication = program.ask(Communication)
        self.parallel = program.ask(Parallel)
        self.loops = program.ask(Loops)
        self.sample = Evaluator(program, 0, lambda _: None)
        self._traits: dict[Term, tuple[bool, tuple[Param, ...]]] = {}

    def conceivable(self, loop: Loop, module: str, function: Function) -> bool:
        """Whether the ranks may meet in a loop, whoever calls its function (cheap)."""
        if self.parallel.active and self.loops.says(module, function, loop.body, self.program.knowledge.training):
            return True
        return self.communication.runs(function) and self.of(loop, self.program.frame(module, function)) is not None

    def of(self, loop: Loop, frame: Context) -> Meeting | None:
        """The first call in which the ranks meet in every round; None when there is none, or when they may agree on the last."""
        if any(self._may_even(led, frame) for _, led in _ways_out(loop)):
            return None
        return self._block(loop.body, frame, 0)

    def way_out(self, loop: Loop) -> Spot | None:
        """Where a loop may be left before its end."""
        return next((left.spot for left, _ in _ways_out(loop)), None)

    def _may_even(self, led: Led, frame: Context) -> bool:
        """Whether ranks that leave a loop so may have counted their rounds, or asked each other.

        What is out of sight, and is told nothing of the round, ends the loop for a reason of its own: those with fewer rounds are
        done before.
        """
        tests = conditions(led)
        if not tests or len(tests) < len(led):
            return True
        return any(self._of_round(test, frame) or self._counts_or_meets(test, frame) for test, _ in tests)

    def _counts_or_meets(self, test: Term, frame: Context) -> bool:
        for part in parts_of(test):
            if isinstance(part, (BinOp, Compare)):
                return True
            if isinstance(part, Call) and any(self._is_in_sight(target) for target in self.index.targets(part, frame)):
                return True
        return False

    def _is_in_sight(self, target: Library | FunctionValue) -> bool:
        """Whether what is called is the project's, Python's, or a library's that communicates."""
        if isinstance(target, FunctionValue):
            return True
        known = self.program.knowledge
        return target.name.partition(".")[0] in ("builtins", *known.opaque) or target.name in known.collectives

    def _block(self, block: Block, frame: Context, depth: int) -> Meeting | None:
        run = reachable(block, partial(self._entered, frame, depth))
        met = (self._call(node.term, frame, depth) for node in run if isinstance(node, CallStep))
        return next((each for each in met if each is not None), None)

    def _entered(self, frame: Context, depth: int, node: Region | Choice) -> Entered:
        """What of a region runs in every round."""
        if not isinstance(node, (If, Choice)):
            return Entered((node.body,))
        if not self._settled(node.condition, frame, depth):
            return Entered((), instead=True)
        held = self.sample.value(node.condition, frame)
        if held is None or isinstance(held, (bool, int, str)):
            return Entered((node.body if held else node.orelse,), instead=True)
        return Entered((node.body, node.orelse))

    def _settled(self, condition: Term, frame: Context, depth: int) -> bool:
        """Whether a test has one answer in all rounds and on all ranks, and is not about being in training.

        A loop may be run in either phase; which of the two is not known where the phase is a state of an object. Far down, in
        what the loop's callees call, a test that is unknown is about a mode of which nobody says that this loop runs in it.
        """
        value, asked = self.sample.evaluate(condition, frame)
        if asked or self._of_round(condition, frame) or (depth >= _FAR and isinstance(value, UNKNOWN)):
            return False
        phases = self.program.knowledge.phases
        return not isinstance(value, UNKNOWN) or not any(
            isinstance(part, Attr) and part.name in phases for part in parts_of(condition)
        )

    def _of_round(self, condition: Term, frame: Context) -> bool:
        """Whether a condition depends on the round: on its number, its item, or something computed in it."""
        known = self._traits.get(condition)
        if known is None:
            parts = list(parts_of(condition))
            fixed = not any(isinstance(part, _ROUND) for part in parts)
            known = self._traits[condition] = (fixed, tuple(part for part in parts if isinstance(part, Param)))
        fixed, parameters = known
        if not fixed:
            return True
        for parameter in parameters:
            bound = frame.given(parameter)
            if isinstance(bound, Argument) and self._of_round(bound.term, bound.frame):
                return True
        return False

    def _call(self, call: Call, frame: Context, depth: int) -> Meeting | None:
        step = self.parallel.step(call, frame)
        if step is not None:
            return Meeting(frame.module, call.site, step, model=True)
        met = (self._target(target, call, frame, depth) for target in self.index.targets(call, frame))
        if _of_item(call.callee):  # what each round calls may be something else: all of it must meet
            found = list(met)
            return found[0] if all(found) and found else None
        return next((each for each in met if each is not None), None)

    def _target(self, target: Library | FunctionValue, call: Call, frame: Context, depth: int) -> Meeting | None:
        """Where the ranks meet in one of the things that a call may run."""
        if isinstance(target, Library):
            meets = self._of_all(target.name, call, frame)
            return Meeting(frame.module, call.site, target.name.rpartition(".")[2], model=False) if meets else None
        if frame.depth <= DEEPEST and not frame.runs(target.function) and self._may_meet(target):
            return self._block(target.function.body, self.program.enter(target, call, frame), depth + 1)
        return None

    def _may_meet(self, target: FunctionValue) -> bool:
        if target.function.generator:
            return False
        if self.communication.runs(target.function):
            return True
        training = self.program.knowledge.training
        return self.parallel.active and self.loops.function_says(target.module, target.function, training)

    def _of_all(self, name: str, call: Call, frame: Context) -> bool:
        """Whether a call is a collective of all ranks."""
        knowledge = self.program.knowledge
        position = knowledge.collectives.get(name)
        if position is None or name in knowledge.optional:
            return False
        silencer = knowledge.silenced_by.get(name)
        if silencer is not None and any(keyword == silencer for keyword, _ in call.kwargs):
            return False
        if position < 0:
            return True
        group = next((value for keyword, value in call.kwargs if keyword == "group"), None)
        if group is None and len(call.args) > position:
            group = call.args[position]
        return (
            group is None
            or frame.hands_on_nothing(group)
            or self.sample.value(group, frame) is None
            or self.sample.origins.is_world(group, frame)
        )


def _of_item(callee: Term) -> bool:
    """Whether an item of a loop is called, or a method of it."""
    return isinstance(callee.base if isinstance(callee, Attr) else callee, Element)


def _ways_out(loop: Loop) -> Iterator[tuple[Exit, Led]]:
    """What leaves a loop before its end, each with the tests that lead to it."""
    inner = {id(node) for other in walk(loop.body) if isinstance(other, Loop) for node in walk(other.body)}
    for node, led in walk_tested(loop.body):
        if isinstance(node, Exit) and (node.kind == "return" or (node.kind == "break" and id(node) not in inner)):
            yield node, led


class _Run(NamedTuple):
    """A loop and the activation it runs in."""

    loop: Loop
    frame: Context


def made_up_for(program: Program, asked: Meetings, loop: Loop, frame: Context, meeting: Meeting) -> bool:
    """Whether other loops in which the ranks meet in the same way give all of them equally many rounds together.

    So it is when the sum comes out equal (``range(rank)``, then ``range(world - rank)``, in any order), and presumed when the
    other loop goes over a difference that cannot be counted (``range(most - mine)``), or until all are done.
    """
    own = _Run(loop, frame)
    around: Spot | None = loop.spot
    current: Context | None = frame
    while current is not None and around is not None:
        others: list[_Run] = []
        for run in _loops(asked, current, around):
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
        if _balanced(program, own, others):
            return True
        around = current.call.site if current.call is not None else None
        current = current.caller
    return False


def _meets_alike(asked: Meetings, run: _Run, meeting: Meeting) -> bool:
    found = asked.of(run.loop, run.frame)
    return found is not None and _alike(found, meeting)


def _beside(asked: Meetings, frame: Context) -> Iterator[_Run]:
    """The loops of the other methods of an object, when nobody is seen to call this one (``__enter__``, ``__exit__``)."""
    if not isinstance(frame.receiver, Instance):
        return
    module = frame.receiver.module
    for qualname in frame.receiver.cls.methods.values():
        function = asked.program.modules[module].functions[qualname]
        if function is not frame.function and asked.communication.runs(function):
            yield from _loops(asked, asked.program.frame(module, function), None)


def _alike(one: Meeting, other: Meeting) -> bool:
    """Whether what waits in one loop may be answered by what runs in another."""
    return one.model == other.model and (one.model or one.name == other.name)


def _loops(asked: Meetings, frame: Context, around: Spot | None) -> Iterator[_Run]:
    """The loops of an activation and of what it calls, but those around or within ``around``."""
    for loop in of_kind(frame.function, Loop):
        if around is None or not (
            loop.spot == around or within(frame.function, loop, around) or within(frame.function, around, loop)
        ):
            yield _Run(loop, frame)
    for node in calls_of(frame.function):
        if around is None or not (node.term.site == around or within(frame.function, around, node)):
            for inner in activations(asked.program, node.term, frame):
                if asked.communication.runs(inner.function):
                    yield from _loops(asked, inner, None)


def _until(run: _Run) -> bool:
    """Whether a loop seems to make the rounds that are left: it goes over a difference, or on until something holds."""
    return run.loop.kind == "while" or _subtracts(run.loop.subject, run.frame)


def _subtracts(term: Term, frame: Context) -> bool:
    for part in parts_of(term):
        if isinstance(part, BinOp) and part.op == "Sub":
            return True
        if isinstance(part, Param):
            bound = frame.given(part)
            if isinstance(bound, Argument) and _subtracts(bound.term, bound.frame):
                return True
    return False


def _countable(program: Program, run: _Run) -> bool:
    """Whether the rounds of a loop can be counted without assuming anything but a number of ranks."""
    example = Example(0, Examples())
    counts = _counts(program, Evaluator(program, 0, lambda _: None).peers(), run, example)
    return run.loop.kind != "while" and counts is not None and not example.assumed and not example.open


def _balanced(program: Program, run: _Run, others: list[_Run]) -> bool:
    """Whether a loop makes, with one or two of the others or with all of them, equally many rounds on all ranks."""
    if not others:
        return False
    peers = Evaluator(program, 0, lambda _: None).peers()
    judged = False
    candidates: list[tuple[_Run, ...]] = [*combinations(others, 1), *combinations(others, 2), tuple(others)]
    for example in Examples():
        counts = {id(each): _counts(program, peers, each, example) for each in (run, *others)}
        if example.turn == 0 or counts[id(run)] is None:
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
