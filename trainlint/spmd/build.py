"""Building the trace of one rank from a function's sketch (see :mod:`~trainlint.spmd.trace`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from trainlint.facts.call_graph import last_name
from trainlint.facts.lazy_init import makes_missing
from trainlint.facts.literals import dict_viewed
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance
from trainlint.ir import nodes
from trainlint.ir.nodes import And, Attr, Call, Compare, Const, Dict, Entered, List, LoopPhi, Not, Or, Self, Set, Subscript, Term
from trainlint.ir.sketch import SILENT, Block, CallStep, Exit, Function, If, Keep, Loop, Statement, Store, Try, With, Yield
from trainlint.ir.walk import effects, is_assertion, of_kind
from trainlint.spmd.calling import Calling
from trainlint.spmd.counting import is_flag
from trainlint.spmd.excluded import denies
from trainlint.spmd.generators import Drawing
from trainlint.spmd.last_rounds import unless_last
from trainlint.spmd.listing import Item
from trainlint.spmd.loop_unroll import LoopUnroll
from trainlint.spmd.nesting import Nesting, Ways
from trainlint.spmd.paths import ahead, asks_rank
from trainlint.spmd.questions import ANY
from trainlint.spmd.rank_loop import is_own_turn
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import UNKNOWN, Choice, Held, PerRank, Something, Sym
from trainlint.spmd.trace import Again, Guard, LoopAt, Node, Nodes, Part, Pick, Repeat, Way, Where, without_marks
from trainlint.spmd.uniform_by_collective import settled
from trainlint.spmd.unknowns import Unknowns

if TYPE_CHECKING:
    from trainlint.spmd.uniform_check import Agreement

#: What is put in the place of a call: the trace of what runs, from the ways out of it.
Run = Callable[[Ways], Node]
#: How deep in a test it is looked for what the test is about.
_NEAR = 3


class TooLarge(Exception):
    """A trace or a comparison outgrew its limit, which the argument names; the function is not judged."""


class TooMuch(TooLarge):
    """The functions of a file together outgrew what may be done for it."""


class Builder(Drawing, LoopUnroll, Calling, Nesting):
    """Builds traces for one rank."""

    evaluator: Evaluator
    #: The tests in whose arms (the first, or the second) the statement stands that is looked at.
    tests: list[tuple[If, bool, Frame]]
    analysis: Agreement
    program: Program

    def __init__(self, analysis: Agreement, rank: int, nodes: Nodes) -> None:
        self.analysis = analysis
        self.program = analysis.program
        self.evaluator = Evaluator(analysis.program, rank, analysis.consult)
        self.evaluator.traces()
        self.unknowns = Unknowns(self.evaluator) if analysis.identifying else None
        self.nodes = nodes
        self.rank = rank
        self.arms: dict[Guard, bool] = {}
        self.repeats: dict[LoopAt, Repeat] = {}
        self.looped: dict[LoopAt, tuple[Loop, Frame]] = {}
        self.stack: list[Function] = []
        #: The tests in whose arms (the first, or the second) the statement stands that is looked at.
        self.tests: list[tuple[If, bool, Frame]] = []
        self.steps = 0
        self.recursing = 0
        self.elements: dict[Term, Item] = {}
        self.yielding: Yield | None = None
        #: The function whose call counts as an event when it is asked which ranks a decorator lets through.
        self.wanted: Function | None = None
        #: How many context managers around this place switch collectives off.
        self.muted = 0
        #: The ``try`` blocks around this place in which any call may fail (see ``failures.py``).
        self.attempts: list[Any] = []
        #: What runs where a wrapper calls the function it wraps, by the id of that function.
        self.wrapped: dict[int, Run] = {}

    def trace(self, function: Function, frame: Frame, after: Node | None = None) -> Node:
        """What this rank runs from the function's entry to its end (and then ``after``)."""
        end = after if after is not None else self.nodes.end
        self.stack.append(function)
        try:
            return self.body(function, frame, Ways(end, end, end, end, self.nodes.end))
        finally:
            self.stack.pop()

    def body(self, function: Function, frame: Frame, ways: Ways) -> Node:
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

    def around(self, function: Function, wrapper: FunctionValue, frame: Frame, run: Run, ways: Ways) -> Node:
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

    def unwrapped(self, call: Call, frame: Frame, ways: Ways) -> Node | None:
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

    def block(self, block: Block, frame: Frame, ways: Ways) -> Node:
        node = ways.next
        if self.recursing:
            block = self.cut(block, frame)
        elif self.wanted is None and not self.wrapped and not self.attempts:  # else any call may be the one that counts
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

    def statement(self, statement: Statement, frame: Frame, ways: Ways) -> Node:
        if isinstance(statement, CallStep):
            return self.call(statement, frame, ways)
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
            return self.loop(statement, frame, ways)
        if isinstance(statement, With):
            return self.with_(statement, frame, ways)
        if isinstance(statement, Try):
            return self.try_(statement, frame, ways)
        if isinstance(statement, Exit):
            return self.exit(statement, frame, ways)
        if isinstance(statement, Yield) and ways.yields is not None:
            return self.yield_(statement, frame, ways)
        return ways.next

    def arm(self, statement: If, taken: bool, frame: Frame, ways: Ways) -> Node:
        """What one arm of a test runs."""
        self.tests.append((statement, taken, frame))
        try:
            return self.block(statement.body if taken else statement.orelse, frame, ways)
        finally:
            self.tests.pop()

    def known_arm(self, statement: If, frame: Frame, ways: Ways) -> Node | None:
        """In a recursion that is gone into: the arm of a test that this rank takes, the other one is not even looked at."""
        self.at(frame, statement.test.line)
        value, asked = self.asked(statement.condition, frame)
        if isinstance(value, (Sym, PerRank, Choice)):
            return None
        node = self.arm(statement, isinstance(value, Something) or bool(value), frame, ways)
        guard = Guard(frame.module, statement.spot, statement.test, statement.condition, frame)
        return self.settled(value, asked, node, node, guard)

    def cut(self, block: Block, frame: Frame) -> Block:
        """A block up to where this rank surely leaves it."""
        for index, statement in enumerate(block):
            if isinstance(statement, If) and not isinstance(self.evaluator.value(statement.condition, frame), UNKNOWN):
                arm = statement.body if self.evaluator.value(statement.condition, frame) else statement.orelse
                if arm and isinstance(arm[-1], Exit):
                    return block[: index + 1]
        return block

    def exit(self, statement: Exit, frame: Frame, ways: Ways) -> Node:
        if statement.kind == "raise":
            target = ways.error(statement.error, frame)
        else:
            ends = {"return": ways.returns, "break": ways.breaks, "continue": ways.continues}
            target = ends.get(statement.kind, self.nodes.end)
        failed = statement.error is not None and (statement.kind == "exit" or last_name(statement.error) != "SystemExit")
        return self.mark(Way, statement.kind, Where(frame.module, statement.spot, statement.spot), target, failed)

    def mark(self, kind: type[Node], *parts: Any) -> Node:
        node: Node = self.nodes.make(kind, *parts)
        return node

    # -- branches --------------------------------------------------------------------------------------------------

    def branch(self, condition: Term, frame: Frame, then: Node, other: Node, guard: Guard) -> Node:
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
        self.at(frame, guard.test.line)
        value, asked = self.asked(condition, frame)
        if isinstance(value, PerRank) and is_own_turn(condition, lambda side: self.asked(side, frame)[1]):
            value, asked = Sym((condition, frame)), False
        elif asked and settled(self.evaluator, condition, frame, guard.test.line + 1):
            value, asked = Sym((condition, frame)), False  # whatever it was computed from, ranks met over it
        return self.settled(value, asked, then, other, guard)

    def at(self, frame: Frame, line: int) -> None:
        """What is asked next is asked in this activation, in this line."""
        self.evaluator.place.frame, self.evaluator.place.line = frame, line

    def asked(self, condition: Term, frame: Frame) -> tuple[Any, bool]:
        """The value of a condition on this rank, and whether it is another one on other ranks."""
        value, asked = self.evaluator.evaluate(condition, frame)
        if asked and not self.evaluator.loops:
            asked = self.evaluator.differs(condition, frame)
        return value, asked

    def is_of_ranks(self, test: If, frame: Frame) -> bool:
        """Whether ranks answer a test differently: the same is said on each of them."""
        place = self.evaluator.place
        saved = place.frame, place.line
        self.at(frame, test.test.line)
        try:
            asked = self.evaluator.evaluate(test.condition, frame)[1] and self.evaluator.differs(test.condition, frame)
            return asked and not settled(self.evaluator, test.condition, frame, test.test.line + 1)
        finally:
            place.frame, place.line = saved

    def settled(self, value: Any, asked: bool, then: Node, other: Node, guard: Guard) -> Node:
        if isinstance(value, Choice):
            return self.pick(
                value.condition,
                self.settled(value.then, asked, then, other, guard),
                self.settled(value.other, asked, then, other, guard),
            )
        if isinstance(value, Sym) and not isinstance(value, Held):
            # Unknown, but reached over a test on the rank: each rank may have its own reason for one common value
            # (rank 0 decides, the others are told). Nothing says that they differ.
            if not asked:
                return self.pick(value, then, other)
            self.analysis.ranked = True
            self.arms[guard] = True
            agreed = Sym(("agreed", guard.condition, guard.frame))
            return self.pick(agreed, self.mark(Part, guard, True, True, then), self.mark(Part, guard, False, True, other))
        if isinstance(value, PerRank):
            return self.per_rank(value, then, other, guard)
        taken = True if isinstance(value, Something) else bool(value)
        node = then if taken else other
        if not asked:
            return node
        self.analysis.ranked = True
        self.arms[guard] = taken
        return self.mark(Part, guard, taken, True, node)

    def per_rank(self, value: PerRank, then: Node, other: Node, guard: Guard) -> Node:
        """Some ranks take one arm, the others the other; which ones is unknown, so rank 0 stands for the first."""
        for arm, rest in ((then, other), (other, then)):
            if isinstance(arm, Way) and arm.kind in ("raise", "exit"):
                return rest  # a check of the launch: it holds, or the job ends anyway
        if _is_looped(guard.condition, _NEAR) and any(self._parts(test, at) for test, _, at in self.tests):
            # What only these ranks change, and ask: nothing says that their answers differ.
            return self.pick(Sym(("of these ranks", value.key)), then, other)
        self.analysis.ranked = True
        negated = type(value.key) is tuple and value.key[0] == "not"
        taken = (self.rank == 0) != negated
        self.arms[guard] = taken
        return self.mark(Part, guard, taken, False, then if taken else other)

    def _parts(self, test: If, frame: Frame) -> bool:
        """Whether a test, in an arm of which the trace is, lets certain ranks go one way."""
        value, asked = self.evaluator.evaluate(test.condition, frame)
        return asked and not isinstance(value, PerRank)

    def pick(self, symbol: Sym, then: Node, other: Node) -> Node:
        if then is self.nodes.over and without_marks(other) is self.nodes.end:
            return then  # who leaves the job where there is one (``if dist.is_initialized():``), and does nothing afterwards
        if then is other:
            return then
        return self.mark(Pick, symbol if self.unknowns is None else self.unknowns.one(symbol), then, other)

    # -- loops -----------------------------------------------------------------------------------------------------

    def loop(self, statement: Loop, frame: Frame, ways: Ways) -> Node:
        exhausted = self.block(statement.orelse, frame, ways)
        if statement.kind == "for":
            if self.is_idle(statement, frame):
                return exhausted
            numbers = self.world_range(statement, frame) or self.turns(statement, frame)
            if numbers is not None:
                return self.unrolled(statement, frame, ways, numbers, exhausted)
            listed = self.listed(statement, frame, ways, exhausted)
            listed = listed or self.itemwise(statement, frame, ways, exhausted)
            if listed is not None:
                return listed
            drawn = self.drawn(statement, frame, ways, exhausted) if self.analysis.generators else None
            node = self.repeat(statement, frame, ways, exhausted) if drawn is None else drawn
            return self.begun(statement, frame, ways, node)
        counted = self.counted(statement, frame, ways, exhausted)
        if counted is not None:
            return counted
        self.at(frame, statement.spot.line)
        value, asked = self.asked(statement.subject, frame)
        if asked and settled(self.evaluator, statement.subject, frame):
            value, asked = Sym((statement.subject, frame)), False
        unknown = isinstance(value, (Sym, PerRank, Choice))
        runs = unknown or bool(value) or isinstance(value, Something)
        node = self.repeat(statement, frame, ways, exhausted if unknown else None) if runs else exhausted
        if isinstance(value, PerRank) and (isinstance(statement.subject, nodes.Asserted) or is_flag(statement.subject, frame)):
            runs = self.rank == 0  # not the same on all ranks, as a comment says: rank 0 stands for those that stay
            node = node if runs else exhausted
        elif not asked or isinstance(value, PerRank):
            return node
        guard = Guard(frame.module, statement.spot, statement.spot, statement.subject, frame)
        self.analysis.ranked = True
        self.arms[guard] = runs
        return self.mark(Part, guard, runs, not isinstance(value, PerRank), node)

    def for_each(self, call: Call, frame: Frame, where: Where, ways: Ways) -> Node:
        """``map(function, items)``: a loop of unknown length."""
        loop = LoopAt(frame.module, where.spot, frame, self.turn)
        again = self.mark(Again, loop)
        one = CallStep(self.analysis.mapped(call, where.spot), where.statement)
        body = self.call(one, frame, ways._replace(next=again, breaks=again, continues=again))
        if body is again:
            return ways.next
        node: Repeat = self.nodes.make(Repeat, loop, body, ways.next, ways.next)
        self.repeats[loop] = node
        return node

    def repeat(self, statement: Loop, frame: Frame, ways: Ways, exhausted: Node | None) -> Node:
        loop = LoopAt(frame.module, statement.spot, frame, self.turn)
        again = self.mark(Again, loop)
        back = again if exhausted is None else unless_last(self, statement, frame, again, exhausted)
        inner = ways._replace(next=back, continues=back, breaks=ways.next)
        body = self.turned(statement, frame, inner, self.block(statement.body, frame, inner))
        if body is again and exhausted is not None:
            return exhausted
        if exhausted is None and not any(node is again for node in ahead(body)) and not asks_rank(body, ways.next):
            return body  # its first round is its last
        node: Repeat = self.nodes.make(Repeat, loop, body, exhausted, ways.next)
        self.repeats[loop] = node
        self.looped[loop] = statement, frame
        return node

    def holds(self, asserted: Term, frame: Frame) -> bool:
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

    def is_denied(self, asserted: Term, frame: Frame) -> bool:
        """Whether something is asserted where a test has just said that it is not so."""
        return any(at is frame and denies(test.condition, arm, asserted) for test, arm, at in self.tests)

    def is_idle(self, loop: Loop, frame: Frame) -> bool:
        """Whether a loop goes over what its object gathers, and the object was given nothing."""
        name = self._gathers(loop.subject)
        owner = frame.receiver
        if name is None or not isinstance(owner, Instance):
            return False
        fillers = self._fillers(ClassValue(owner.module, owner.cls), name)
        if fillers is None or frame.function.name in fillers or "__init__" in fillers:
            return False
        self.analysis.consult(ANY)  # another object may have been given something
        if owner.call is None or owner.frame is None:
            return False
        return not any(self._gives(owner.call, fillers, owner.frame.function))

    def _gathers(self, subject: Term) -> str | None:
        """The attribute of ``self`` that is looped over, as it is or by a view of it."""
        subject = dict_viewed(self.program.knowledge.views, subject) or subject
        return subject.name if isinstance(subject, Attr) and isinstance(subject.base, Self) else None

    def _fillers(self, cls: ClassValue, name: str) -> frozenset[str] | None:
        """The methods that put something into an attribute; None when it does not begin empty."""
        known = self.analysis.gathering
        key = (id(cls.cls), name)
        if key not in known:
            known[key] = self._found(cls, name)
        return known[key]

    def _found(self, cls: ClassValue, name: str) -> frozenset[str] | None:
        stores = self.program.stores(cls, name)
        if not stores or not all(isinstance(value, (Dict, List, Set)) and not value.items for _, _, value in stores):
            return None
        own = [
            self.program.modules[base.module].functions[method]
            for base in self.program.lineage(cls)
            if isinstance(base, ClassValue)
            for method in base.cls.methods.values()
        ]
        fillers = {function.name for function in own if self._fills(function, name)}
        while True:
            more = {function.name for function in own if any(_asks_itself(function, each) for each in fillers)} - fillers
            if not more:
                return frozenset(fillers)
            fillers |= more

    @property
    def _harmless(self) -> frozenset[str]:
        """The methods of a container that only ask it, or take things out."""
        knowledge = self.program.knowledge
        return frozenset((*knowledge.only_asks, *knowledge.empties, *knowledge.views))

    def _fills(self, function: Function, name: str) -> bool:
        """Whether a method may put something into an attribute of its object."""
        if any(_is_own(_changed(node.target), name) for node in of_kind(function, Keep)):
            return True
        harmless = self._harmless
        for call in calls_of(function):
            callee = call.term.callee
            if any(_is_own(value, name) for value in _given(call.term)):
                return True
            if isinstance(callee, Attr) and _is_own(callee.base, name) and callee.name not in harmless:
                return True
        return False

    def _gives(self, made: Term, fillers: frozenset[str], function: Function) -> Iterator[bool]:
        """Whether a function gives something to an object that it makes, or the object to somebody else: for each statement."""
        for call in calls_of(function):
            callee = call.term.callee
            yield isinstance(callee, Attr) and _is_it(callee.base, made) and callee.name in fillers
            yield any(_is_it(value, made) for value in _given(call.term))
        for store in of_kind(function, Store):
            yield _is_it(store.value, made)
        for left in of_kind(function, Exit):
            yield left.value is not None and _is_it(left.value, made)


def _is_looped(term: Term, depth: int) -> bool:
    """Whether a test is about what a loop changes."""
    return isinstance(term, LoopPhi) or (depth > 0 and any(_is_looped(part, depth - 1) for part in term.subterms()))


def _given(call: Call) -> Iterator[Term]:
    """What a call is given."""
    yield from call.args
    for _, value in call.kwargs:
        yield value


def _changed(target: Term) -> Term:
    """What an item that is set is an item of."""
    while isinstance(target, Subscript):
        target = target.base
    return target


def _is_own(term: Term, name: str) -> bool:
    return bool(isinstance(term, Attr) and isinstance(term.base, Self) and term.name == name)


def _is_it(term: Term, made: Term) -> bool:
    """Whether a term is an object by the call that makes it, or what ``with`` binds of that."""
    return term is made or (isinstance(term, Entered) and term.manager is made)


def _asks_itself(function: Function, method: str) -> bool:
    """Whether a method calls another one of its object."""
    return any(_is_own(call.term.callee, method) for call in calls_of(function))
