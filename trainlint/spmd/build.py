"""Building the trace of one rank from a function's sketch (see :mod:`~trainlint.spmd.trace`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from trainlint.domains.lazy_init import makes_missing
from trainlint.finding import Spot
from trainlint.ir.nodes import And, Call, Compare, Const, LoopPhi, Not, Or, Select, Term
from trainlint.ir.sketch import SILENT, Block, CallStep, Exit, Function, If, Loop, Statement, Try, With, Yield
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import effects, is_assertion
from trainlint.program.call_graph import last_name
from trainlint.program.values import Context, FunctionValue
from trainlint.spmd.calling import trace_call
from trainlint.spmd.feasibility import denies
from trainlint.spmd.generators import trace_yield
from trainlint.spmd.loop_rounds import is_own_turn
from trainlint.spmd.loops import trace_loop
from trainlint.spmd.nesting import trace_try, trace_with
from trainlint.spmd.process_groups import GroupMembers
from trainlint.spmd.questions import answered_at
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import UNKNOWN, Choice, Something, Truthy, Uniform, Varying
from trainlint.spmd.trace import (
    Catches,
    Enter,
    Guard,
    Leave,
    LoopAt,
    Node,
    Nodes,
    Part,
    Pick,
    Repeat,
    Run,
    Way,
    Ways,
    Where,
    without_marks,
)
from trainlint.spmd.unknowns import Unknowns

if TYPE_CHECKING:
    from trainlint.spmd.local_failures import Failures
    from trainlint.spmd.uniform_check import Agreement


class TooLarge(Exception):
    """A trace or a comparison outgrew its limit, which the argument names; the function is not judged."""


class TooMuch(TooLarge):
    """The functions of a file together outgrew what may be done for it."""


class Builder:
    """Builds traces for one rank.

    What a kind of statement puts into a trace is worked out by a function of its own, which is handed the builder: parts that
    held it would make a circle, and all nodes would stay until garbage is collected, which it is not while a program is checked.
    """

    def __init__(
        self,
        analysis: Agreement,
        rank: int,
        nodes: Nodes,
        evaluator: Evaluator | None = None,
        failures: Failures | None = None,
    ) -> None:
        """``evaluator`` answers tests in the place of this rank's own; ``failures`` lets calls fail."""
        self.analysis = analysis
        self.program = analysis.program
        if evaluator is None:
            evaluator = Evaluator(analysis.program, rank, analysis.consult)
            evaluator.traces()
        self.evaluator = evaluator
        self.failures = failures
        self.groups = GroupMembers(analysis.program, evaluator)
        self.unknowns = Unknowns(self.evaluator) if analysis.identifying else None
        self.nodes = nodes
        self.rank = rank
        self.arms: dict[Guard, bool] = {}
        #: The tests of what is changed under a test that certain ranks of the job answer otherwise: no axis of a mesh is meant.
        self.of_job: set[Guard] = set()
        self.repeats: dict[LoopAt, Repeat] = {}
        #: The loops whose rounds are not gone through one by one.
        self.looped: dict[LoopAt, tuple[Loop, Context]] = {}
        #: The rounds around this place, of the loops that are gone through one by one.
        self.turn: tuple[int, ...] = ()
        self.stack: list[Function] = []
        #: The tests in whose arms (the first, or the second) the statement stands that is looked at.
        self.tests: list[tuple[If, bool, Context]] = []
        self.steps = 0
        #: How many recursions around are gone into.
        self.recursing = 0
        #: The ``yield`` whose rest of the loop is being built.
        self.yielding: Yield | None = None
        #: The function whose call counts as an event when it is asked which ranks a decorator lets through.
        self.wanted: Function | None = None
        #: How many context managers around this place switch collectives off.
        self.muted = 0
        #: Whether it is only looked for ways that some ranks go alone: a loop over a generator in which all go one way repeats.
        self.looking = False
        #: Whether there was such a loop.
        self.passed_over = False
        #: What runs where a wrapper calls the function it wraps, by the id of that function.
        self.wrapped: dict[int, Run] = {}

    def trace(self, function: Function, frame: Context, after: Node | None = None) -> Node:
        """What this rank runs from the function's entry to its end (and then ``after``)."""
        end = after if after is not None else self.nodes.end
        self.stack.append(function)
        try:
            return self.body(function, frame, Ways(end, end, end, end, self.nodes.end))
        finally:
            self.stack.pop()

    def body(self, function: Function, frame: Context, ways: Ways) -> Node:
        """The body of a function, as its decorators let this rank run it, and with what they run around it."""
        run = partial(self.block, function.body, frame)
        for index in reversed(range(len(function.decorators))):
            meeting = self.analysis.decorators.meeting(frame.module, function, index)
            if meeting is not None:
                run = partial(self.around, function, *meeting, run)
                continue
            arms = self.analysis.decorators.arms(frame.module, function, index)
            if arms is not None:
                spot = function.decorator_spots[index]
                guard = Guard(frame.module, function.spot, spot, function.decorators[index], frame)
                run = partial(self.admitted, guard, arms.ranks[self.rank], arms.certain, run)
        return run(ways)

    def admitted(self, guard: Guard, arm: bool, certain: bool, run: Run, ways: Ways) -> Node:
        """What runs on some ranks only, because of a decorator."""
        node = run(ways)
        if node is ways.next:
            return node
        self.analysis.ranked = True
        self.arms[guard] = arm
        return self.mark(Part, guard, arm, certain, node if arm else ways.next)

    def around(self, function: Function, wrapper: FunctionValue, frame: Context, run: Run, ways: Ways) -> Node:
        """The wrapper that a decorator puts in the place of a function; where it calls the function, ``run`` runs."""
        saved = self.wrapped.get(id(function))
        alone = self.analysis.decorators.signals(wrapper.function, frame)
        self.wrapped[id(function)] = (lambda ways: ways.next) if alone else run
        try:
            return self.block(wrapper.function.body, frame, ways)
        finally:
            if saved is None:
                del self.wrapped[id(function)]
            else:
                self.wrapped[id(function)] = saved

    def look_into(
        self, target: FunctionValue, inner: Context, where: Where, next_: Node, raises: Node, catches: Catches | None = None
    ) -> Node:
        """The callee's own trace in place of the call."""
        leave = self.mark(Leave, next_)
        self.stack.append(target.function)
        try:
            body = self.body(target.function, inner, Ways(leave, leave, leave, leave, raises, catches=catches))
        finally:
            self.stack.pop()
        return self.mark(Enter, target, where, body)

    def members(self, group: Term, frame: Context) -> tuple[Any, ...] | None:
        """The ranks that a collective of a group concerns; None where that is not known."""
        return self.groups.of(group, frame)

    def unwrapped(self, call: Call, frame: Context, ways: Ways) -> Node | None:
        """What a wrapper's call of the function that it wraps runs; None for every other call."""
        for target in self.analysis.index.targets(call, frame):
            run = self.wrapped.pop(id(target.function), None) if isinstance(target, FunctionValue) else None
            if run is not None and isinstance(target, FunctionValue):
                try:
                    return run(Ways(ways.next, ways.next, ways.next, ways.next, ways.raises))
                finally:
                    self.wrapped[id(target.function)] = run
        return None

    # -- statements ------------------------------------------------------------------------------------------------

    def block(self, block: Block, frame: Context, ways: Ways) -> Node:
        node = ways.next
        if self.recursing:
            block = self.cut(block, frame)
        elif self.wanted is None and not self.wrapped and not (self.failures is not None and self.failures.attempts):
            # Else any call may be the one that counts.
            block = self.analysis.telling(block, frame.module)
        for statement in reversed(block):
            if type(statement) in SILENT:
                continue
            self.steps += 1
            self.analysis.spend(1)
            if self.steps > self.analysis.limit:
                raise TooLarge(f"more than {self.analysis.limit:,} statements to run through")
            node = self.statement(statement, frame, ways._replace(next=node))
        return node

    def statement(self, statement: Statement, frame: Context, ways: Ways) -> Node:
        """What a statement runs, and then what follows it."""
        if isinstance(statement, CallStep):
            node = trace_call(self, statement, frame, ways)
            return node if self.failures is None else self.failures.forked(self, statement, frame, node)
        if isinstance(statement, If):
            if self.recursing:
                known = self.known_arm(statement, frame, ways)
                if known is not None:
                    return known
            then = self.arm(statement, True, frame, ways)
            other = self.arm(statement, False, frame, ways)
            if is_assertion(statement) and self.is_denied(statement.condition, frame):
                return other  # an error in other words
            if then is other or (is_assertion(statement) and self.holds(statement.condition, frame)):
                return then
            if effects(statement.body) and not effects(statement.orelse) and makes_missing(self.program, statement, frame):
                return other  # it is there already: who made it, and when, is not known here
            guard = Guard(frame.module, statement.spot, statement.test, statement.condition, frame)
            return self.branch(statement.condition, frame, then, other, guard)
        if isinstance(statement, Loop):
            return trace_loop(self, statement, frame, ways)
        if isinstance(statement, With):
            return trace_with(self, statement, frame, ways)
        if isinstance(statement, Try):
            return trace_try(self, statement, frame, ways)
        if isinstance(statement, Exit):
            return self.exit(statement, frame, ways)
        if isinstance(statement, Yield):
            if ways.yields is None:  # a generator on its own: whether all ranks come here matters to who draws from it
                ways = ways._replace(yields=lambda way: self.mark(Leave, way.next))
            return trace_yield(self, statement, frame, ways)
        return ways.next

    def arm(self, statement: If, taken: bool, frame: Context, ways: Ways) -> Node:
        """What one arm of a test runs."""
        self.tests.append((statement, taken, frame))
        try:
            return self.block(statement.body if taken else statement.orelse, frame, ways)
        finally:
            self.tests.pop()

    def known_arm(self, statement: If, frame: Context, ways: Ways) -> Node | None:
        """In a recursion that is gone into: the arm of a test that this rank takes, the other one is not even looked at."""
        self.at(frame, statement.test)
        value, asked = self.asked(statement.condition, frame)
        if isinstance(value, (Uniform, Varying, Choice)):
            return None
        node = self.arm(statement, isinstance(value, Something) or bool(value), frame, ways)
        guard = Guard(frame.module, statement.spot, statement.test, statement.condition, frame)
        return self.settled(value, asked, node, node, guard)

    def cut(self, block: Block, frame: Context) -> Block:
        """A block up to where this rank surely leaves it."""
        for index, statement in enumerate(block):
            if isinstance(statement, If) and not isinstance(self.evaluator.value(statement.condition, frame), UNKNOWN):
                arm = statement.body if self.evaluator.value(statement.condition, frame) else statement.orelse
                if arm and isinstance(arm[-1], Exit):
                    return block[: index + 1]
        return block

    def exit(self, statement: Exit, frame: Context, ways: Ways) -> Node:
        if statement.kind == "raise":
            target = ways.error(statement.error, frame)
        else:
            ends = {"return": ways.returns, "break": ways.breaks, "continue": ways.continues}
            target = ends.get(statement.kind, self.nodes.end)
        failed = statement.error is not None and (statement.kind == "exit" or last_name(statement.error) != "SystemExit")
        return self.mark(Way, statement.kind, Where(frame.module, statement.spot, statement.spot), target, failed)

    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""
        node: Node = self.nodes.make(kind, *parts)
        return node

    # -- branches --------------------------------------------------------------------------------------------------

    def branch(self, condition: Term, frame: Context, then: Node, other: Node, guard: Guard) -> Node:
        """A test: the arm that this rank takes, or both when that is unknown."""
        if then is other:
            return then
        if isinstance(condition, Not):
            return self.branch(condition.operand, frame, other, then, guard._replace(condition=condition.operand))
        if isinstance(condition, (And, Or)):
            node = then if isinstance(condition, And) else other
            for part in reversed(condition.operands):
                inner = guard._replace(condition=part, whole=False, admits=guard.admits or isinstance(condition, Or))
                left, right = (node, other) if isinstance(condition, And) else (then, node)
                node = self.branch(part, frame, left, right, inner)
            return node
        self.at(frame, guard.test)
        value, asked = self.asked(condition, frame)
        if isinstance(value, Varying) and is_own_turn(condition, lambda side: self.asked(side, frame)[1]):
            value, asked = Uniform((condition, frame)), False
        elif asked and self.evaluator.is_uniform_by_collective(
            condition, frame, answered_at(frame.function, guard.test, condition)
        ):
            value, asked = Uniform((condition, frame)), False  # whatever it was computed from, ranks met over it
        return self.settled(value, asked, then, other, guard)

    def at(self, frame: Context, step: Spot) -> None:
        """What is asked next is asked in this activation, at this step."""
        self.evaluator.place.frame, self.evaluator.place.step = frame, step

    def asked(self, condition: Term, frame: Context) -> tuple[Any, bool]:
        """The value of a condition on this rank, and whether it is another one on other ranks."""
        value, asked = self.evaluator.evaluate(condition, frame)
        if asked and not self.evaluator.loops:
            asked = self.evaluator.differs(condition, frame)
        return value, asked

    def is_of_ranks(self, test: If, frame: Context) -> bool:
        """Whether ranks answer a test differently: the same is said on each of them."""
        place = self.evaluator.place
        saved = place.frame, place.step
        self.at(frame, test.test)
        try:
            asked = self.evaluator.evaluate(test.condition, frame)[1] and self.evaluator.differs(test.condition, frame)
            answered = answered_at(frame.function, test.test, test.condition)
            return asked and not self.evaluator.is_uniform_by_collective(test.condition, frame, answered)
        finally:
            place.frame, place.step = saved

    def settled(self, value: Any, asked: bool, then: Node, other: Node, guard: Guard) -> Node:
        if isinstance(value, Choice):
            return self.pick(
                value.condition,
                self.settled(value.then, asked, then, other, guard),
                self.settled(value.other, asked, then, other, guard),
            )
        if isinstance(value, Uniform) and not isinstance(value, Truthy):
            # Unknown, but reached over a test on the rank: each rank may have its own reason for one common value
            # (rank 0 decides, the others are told). Nothing says that they differ.
            if not asked:
                return self.pick(value, then, other)
            self.analysis.ranked = True
            self.arms[guard] = True
            agreed = Uniform(("agreed", guard.condition, guard.frame))
            return self.pick(agreed, self.mark(Part, guard, True, True, then), self.mark(Part, guard, False, True, other))
        if isinstance(value, Varying):
            return self.per_rank(value, then, other, guard)
        taken = True if isinstance(value, Something) else bool(value)
        node = then if taken else other
        if not asked:
            return node
        self.analysis.ranked = True
        self.arms[guard] = taken
        return self.mark(Part, guard, taken, True, node)

    def per_rank(self, value: Varying, then: Node, other: Node, guard: Guard) -> Node:
        """Some ranks take one arm, the others the other; which ones is unknown, so rank 0 stands for the first."""
        for arm, rest in ((then, other), (other, then)):
            if isinstance(arm, Way) and arm.kind in ("raise", "exit"):
                return rest  # a check of the launch: it holds, or the job ends anyway
        if any(isinstance(part, LoopPhi) for part in parts_of(guard.condition)) and any(
            self._parts(test, at) for test, _, at in self.tests
        ):
            # What only these ranks change, and ask: nothing says that their answers differ.
            return self.pick(Uniform(("of these ranks", value.key)), then, other)
        self.analysis.ranked = True
        chosen = (part.test for part in parts_of(guard.condition) if isinstance(part, Select))
        if any(of_rank and isinstance(answer, bool) for answer, of_rank in (self.asked(test, guard.frame) for test in chosen)):
            self.of_job.add(guard)
        negated = type(value.key) is tuple and value.key[0] == "not"
        taken = (self.rank == 0) != negated
        self.arms[guard] = taken
        return self.mark(Part, guard, taken, False, then if taken else other)

    def _parts(self, test: If, frame: Context) -> bool:
        """Whether a test, in an arm of which the trace is, lets certain ranks go one way."""
        value, asked = self.evaluator.evaluate(test.condition, frame)
        return asked and not isinstance(value, Varying)

    def pick(self, symbol: Uniform, then: Node, other: Node) -> Node:
        if then is self.nodes.over and without_marks(other) is self.nodes.end:
            return then  # who leaves the job where there is one (``if dist.is_initialized():``), and does nothing afterwards
        if then is other:
            return then
        return self.mark(Pick, symbol if self.unknowns is None else self.unknowns.one(symbol), then, other)

    # -- assertions ------------------------------------------------------------------------------------------------

    def holds(self, asserted: Term, frame: Context) -> bool:
        """What is asserted holds; only of a rank that is to have a certain number is it known that it does not everywhere.

        Where most ranks pass, the assertion says which rank cannot come here (``assert rank != 0`` in a wait for rank 0). Where
        half of them do (``assert local_rank == 0``), it says how the job is to be started: with one process on each node.
        """
        if isinstance(asserted, And):
            return all(self.holds(part, frame) for part in asserted.operands)
        if isinstance(asserted, Compare) and (
            asserted.op in ("Is", "IsNot") or Const not in (type(asserted.left), type(asserted.right))
        ):
            return True
        if not self.asked(asserted, frame)[1]:
            return True
        passing = [peer.value(asserted, frame) for peer in self.evaluator.peers()]
        return sum(value is True for value in passing) * 2 >= len(passing)

    def is_denied(self, asserted: Term, frame: Context) -> bool:
        """Whether something is asserted where a test has just said that it is not so."""
        return any(at is frame and denies(test.condition, arm, asserted) for test, arm, at in self.tests)
