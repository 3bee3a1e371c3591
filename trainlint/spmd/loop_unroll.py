"""Loops that are gone through round by round: over the ranks, over numbers, over lists and with counts that ranks differ in."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from trainlint.facts.implicit_calls import iterated, method_of
from trainlint.facts.values import Bound, Frame, FunctionValue, Library
from trainlint.ir.nodes import (
    UNKNOWNS,
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Global,
    List,
    LoopPhi,
    Param,
    Select,
    Set,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Loop
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import ends_early, of_kind, walk
from trainlint.spmd.counting import Round, emptied, leaving, rounds_of
from trainlint.spmd.listing import Item, items_by_rank
from trainlint.spmd.nesting import Ways
from trainlint.spmd.questions import ANY
from trainlint.spmd.symbols import World
from trainlint.spmd.trace import Guard, LoopAt, Node, Part

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.spmd.ranks import Evaluator
    from trainlint.spmd.uniform_check import Agreement

_LONGEST_UNROLL = 8
_MOST = 8
#: Tags of what may be such a container.
_MAY_BE = frozenset((List, Tuple, Set, *UNKNOWNS, Global, Call, Subscript, BinOp, Param, Attr, Select))


class LoopUnroll:
    """The part of :class:`trainlint.spmd.build.Builder` that unrolls loops."""

    analysis: Agreement
    program: Program
    evaluator: Evaluator
    rank: int
    arms: dict[Guard, bool]
    elements: dict[Term, Item]
    #: The tests in whose arms (the first, or the second) the statement stands that is looked at.
    tests: list[tuple[If, bool, Frame]]
    #: The loops whose rounds are not gone through one by one.
    looped: dict[LoopAt, tuple[Loop, Frame]]
    #: What a call puts into a trace.
    call: Callable[[CallStep, Frame, Ways], Node]
    #: The ranks for which a call makes a group.
    made_of: Callable[[Term, Frame], tuple[int, ...] | None]
    stack: list[Function]

    #: The rounds around this place, of the loops that are gone through one by one.
    turn: tuple[int, ...] = ()

    @abstractmethod
    def block(self, block: Block, frame: Frame, ways: Ways) -> Node:
        """The trace of a block."""

    @abstractmethod
    def is_of_ranks(self, test: If, frame: Frame) -> bool:
        """Whether ranks answer a test differently."""

    @abstractmethod
    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""

    def round(self, number: int, statement: Loop, frame: Frame, ways: Ways, next_: Node) -> Node:
        """One round of a loop that is gone through, and then the next; the loops in it are others in each."""
        turn = self.turn
        self.turn = (*turn, number)
        try:
            return self.block(statement.body, frame, ways._replace(next=next_, continues=next_, breaks=ways.next))
        finally:
            self.turn = turn

    def counted(self, statement: Loop, frame: Frame, ways: Ways, exhausted: Node) -> Node | None:
        """A ``while`` that counts, if ranks differ in the number of its rounds: one round after the other."""
        if self.evaluator.loops or (not frame.function.carried and emptied(self.evaluator, statement, frame) is None):
            return None
        may_count = (Compare, LoopPhi, And, List, Call, Subscript)
        if not isinstance(statement.subject, may_count) and not leaving(statement):
            return None
        own = rounds_of(self.evaluator, statement, frame)
        if own is None:
            return None
        lengths = [rounds_of(peer, statement, frame) for peer in self.evaluator.peers()]
        if None in lengths:
            return None
        apart = self.in_arm_of_ranks() or len({len(found) for found in lengths if found is not None}) > 1
        if not apart and not self.asks_by_round(statement, own, frame):
            return None
        most = max(len(found) for found in lengths if found is not None)
        self.analysis.ranked = True
        node = exhausted
        for number in reversed(range(min(len(own), most) + 1)):
            guard = Guard(frame.module, statement.spot, statement.spot, self.analysis.round_of(statement.subject, number), frame)
            goes_on = self.arms[guard] = number < len(own)
            if goes_on:
                self.evaluator.loops.update(own[number])
                try:
                    node = self.round(number, statement, frame, ways, node)
                finally:
                    self.evaluator.loops.clear()
            node = self.mark(Part, guard, goes_on, True, node)
        return node

    def asks_by_round(self, statement: Loop, rounds: list[Round], frame: Frame) -> bool:
        """Whether the body of a loop that counts asks for the rank which round it is."""
        names = rounds[0] if rounds else ()
        tests = (node for node in walk(statement.body) if isinstance(node, If))
        asked = (test for test in tests if any(mentions(test.condition, name) for name in names))
        return any(self.is_of_ranks(test, frame) for test in asked)

    def listed(self, statement: Loop, frame: Frame, ways: Ways, exhausted: Node) -> Node | None:
        """A loop over a list that holds other things on other ranks, or different functions: one after the other."""
        if statement.target is None:
            return None
        if isinstance(statement.subject, Param):
            self.analysis.consult(statement.subject.name)
        found = items_by_rank(self.program, self.evaluator, statement, frame)
        if found is None:
            return None
        own, first = found[self.rank], found[0]
        alike = all(items == first for items in found)
        self.analysis.ranked = self.analysis.ranked or not alike
        self.analysis.consult(ANY)
        node = exhausted
        for number in reversed(range(max(map(len, found)))):
            guard = Guard(frame.module, statement.spot, statement.spot, self.analysis.round_of(statement.subject, number), frame)
            if not alike:
                self.arms[guard] = own[number : number + 1] == first[number : number + 1]
            if number < len(own):
                self.elements[statement.target] = own[number]
                try:
                    node = self.round(number, statement, frame, ways, node)
                finally:
                    del self.elements[statement.target]
            if not alike:
                node = self.mark(Part, guard, self.arms[guard], True, node)
        return node

    def in_arm_of_ranks(self) -> bool:
        """Whether the statement that is looked at stands in an arm of a test on the rank."""
        return any(self.is_of_ranks(test, at) for test, _, at in self.tests)

    def length(self, loop: LoopAt) -> Hashable:
        """What says how many rounds a loop has, the same on all ranks: a number, or what is gone over in which activation.

        None where nothing says so, or the loop may be left early.
        """
        if loop not in self.looped:
            return None
        statement, frame = self.looped[loop]
        ends = any(isinstance(node, Exit) and node.kind in ("break", "return") for node in walk(statement.body))
        if ends and not leaving(statement):
            return None
        if statement.kind != "for":
            rounds = rounds_of(self.evaluator, statement, frame) if frame.function.carried else None
            return None if rounds is None else len(rounds)
        numbers = self.evaluator.range_of(statement.subject, frame)
        if numbers is not None:
            return len(numbers)
        items = self.evaluator.container(statement.subject, frame)
        return ("over", self.program.sayings.of(statement.subject), frame) if items is None else len(items)

    def world_range(self, statement: Loop, frame: Frame) -> range | None:
        """The numbers of a loop over all ranks (``for r in range(world_size)``), when its body asks for them."""
        subject = statement.subject
        if not isinstance(subject, Call) or len(subject.args) not in (1, 2):
            return None
        if not isinstance(self.evaluator.value(subject.args[-1], frame), World):
            return None
        numbers = self.evaluator.range_of(subject, frame)
        return numbers if numbers is not None and len(numbers) <= _LONGEST_UNROLL else None

    def turns(self, statement: Loop, frame: Frame) -> range | None:
        """The numbers of a loop that counts as far as is written down, when ranks differ in what its rounds come to."""
        target = statement.target
        if (
            target is None
            or not isinstance(statement.subject, Call)
            or any(not isinstance(given, Const) for given in statement.subject.args)
        ):
            return None
        numbers = self.evaluator.range_of(statement.subject, frame)
        if numbers is None or not 0 < len(numbers) <= _LONGEST_UNROLL:
            return None
        if self.in_arm_of_ranks():
            return numbers  # how often counts
        tests = (node for node in walk(statement.body) if isinstance(node, If))
        asked = any(mentions(test.condition, target) and self.is_of_ranks(test, frame) for test in tests)
        return numbers if asked or self._asked_in_calls(statement, target, frame) else None

    def _asked_in_calls(self, statement: Loop, target: Term, frame: Frame) -> bool:
        """Whether a function that is told the number of the round asks with it for the rank."""
        for node in walk(statement.body):
            if not isinstance(node, CallStep) or not any(given is target for given in node.term.args):
                continue
            for callee in self.analysis.index.targets(node.term, frame):
                if isinstance(callee, FunctionValue) and self._asks_with(callee, node.term, target, frame):
                    return True
        return False

    def _asks_with(self, callee: FunctionValue, call: Call, target: Term, frame: Frame) -> bool:
        inner = self.program.enter(callee, call, frame)
        told = {name for name, bound in inner.arguments.items() if isinstance(bound, Bound) and bound.term is target}
        for test in of_kind(callee.function, If):
            parts = parts_of(test.condition)
            if (
                any(isinstance(part, Param) and part.name in told for part in parts)
                and self.evaluator.evaluate(test.condition, inner)[1]
            ):
                return True
        return False

    def unrolled(self, statement: Loop, frame: Frame, ways: Ways, numbers: range, exhausted: Node) -> Node:
        node = exhausted
        target = statement.target
        for number in reversed(numbers):
            if target is not None:
                self.evaluator.loops[target] = number
            node = self.round(number, statement, frame, ways, node)
        if target is not None:
            self.evaluator.loops.pop(target, None)
        return node

    def itemwise(self, statement: Loop, frame: Frame, ways: Ways, exhausted: Node) -> Node | None:
        """A loop over known items, one after the other; None where ranks do not differ, or not all items are known."""
        target, subject = statement.target, statement.subject
        if target is None or type(subject) not in _MAY_BE:
            return None
        if isinstance(subject, Param):
            self.analysis.consult(subject.name)
        found = []
        for peer in self.evaluator.peers():
            items = peer.container(subject, frame, open_items=True, shares=not statement.names)  # loops with names: `shards`
            if items is None or len(items) > _MOST:
                return None
            found.append(list(items))
        alike = all(items == found[0] for items in found)
        if alike and not self._asks_whose(statement, target, frame):
            return None
        if not alike and isinstance(subject, Call) and not self._counts_all(frame):
            return None  # what nobody can count may make up for it
        self.analysis.ranked = True
        self.analysis.consult(ANY)
        own, first = found[self.rank], found[0]
        node = exhausted
        for number in reversed(range(max(map(len, found)))):
            if number < len(own):
                self.evaluator.loops[target] = own[number]
                try:
                    node = self.round(number, statement, frame, ways, node)
                finally:
                    del self.evaluator.loops[target]
            if not alike:
                condition = self.analysis.round_of(subject, number)
                guard = Guard(frame.module, statement.spot, statement.spot, condition, frame)
                self.arms[guard] = own[number : number + 1] == first[number : number + 1]
                node = self.mark(Part, guard, self.arms[guard], True, node)
        return node

    def own_drawn(self, statement: CallStep, callee: Subscript, frame: Frame, ways: Ways) -> Node | None:
        """A call of an item of a comprehension that the rank chooses: ``{r: barrier if r else skip for r in ranks}[rank]()``."""
        call = statement.term
        drawn = callee.base if isinstance(callee.base, Comprehension) else None
        key = callee.key
        if drawn is None or drawn.tests or drawn.target in self.evaluator.loops or not self.evaluator.differs(key, frame):
            return None
        source = self.evaluator.container(drawn.of, frame)
        own = self.evaluator.value(key, frame)
        for number, item in enumerate(source if source is not None and len(source) <= _MOST else ()):
            self.evaluator.loops[drawn.target] = item
            try:
                if own == (number if drawn.key is None else self.evaluator.value(drawn.key, frame)):
                    inner = self.call(statement._replace(term=self.analysis.with_callee(call, drawn.item)), frame, ways)
                    break
            finally:
                del self.evaluator.loops[drawn.target]
        else:
            return None
        guard = Guard(frame.module, call.site, call.site, key, frame)
        arm = self.arms[guard] = own == self.evaluator.peers()[0].value(key, frame)
        self.analysis.ranked = True
        return self.mark(Part, guard, arm, True, inner)

    def own_group(self, group: Subscript, frame: Frame) -> tuple[int, ...] | None:
        """The ranks of a group that the rank chooses among those that a comprehension makes."""
        drawn = group.base if isinstance(group.base, Comprehension) else None
        if (
            drawn is None
            or drawn.key is not None
            or drawn.tests
            or not isinstance(drawn.item, Call)
            or drawn.target in self.evaluator.loops
        ):
            return None
        source, number = self.evaluator.container(drawn.of, frame), self.evaluator.value(group.key, frame)
        if source is None or type(number) is not int or not 0 <= number < len(source):
            return None
        kinds = self.analysis.program.knowledge.collective_kinds
        values = self.analysis.program.values(drawn.item.callee, frame)
        if not any(isinstance(value, Library) and kinds.get(value.name) == "new-group" for value in values):
            return None
        self.evaluator.loops[drawn.target] = list(source)[number]
        try:
            return self.made_of(drawn.item, frame)
        finally:
            del self.evaluator.loops[drawn.target]

    def _counts_all(self, frame: Frame) -> bool:
        """Whether it is known how far each loop of a function counts that counts by the rank."""
        for loop in of_kind(frame.function, Loop):
            subject = loop.subject
            if loop.kind == "for" and isinstance(subject, Call) and self.evaluator.container(subject, frame) is None:
                bounds = (*subject.args, *(part for bound in subject.args for part in bound.subterms()))
                if any(self.evaluator.evaluate(bound, frame)[1] for bound in bounds):
                    return False
        return True

    def _asks_whose(self, statement: Loop, target: Term, frame: Frame) -> bool:
        """Whether the body asks which of the items is the rank's, or leaves by the rank."""
        tests = [node for node in walk(statement.body) if isinstance(node, If)]
        asking = (node for node in tests if mentions(node.condition, target) or ends_early(node.body) or ends_early(node.orelse))
        return any(self.is_of_ranks(test, frame) for test in asking)

    @abstractmethod
    def body(self, function: Function, frame: Frame, ways: Ways) -> Node:
        """The body of a function, as its decorators let this rank run it."""

    def begun(self, statement: Loop, frame: Frame, ways: Ways, node: Node) -> Node:
        """A loop, and before it what its ``__iter__`` runs."""
        return self._asked("__iter__", statement, frame, ways, node)

    def turned(self, statement: Loop, frame: Frame, ways: Ways, node: Node) -> Node:
        """The body of a loop, and before it what its ``__next__`` runs."""
        return self._asked("__next__", statement, frame, ways, node)

    def _asked(self, name: str, statement: Loop, frame: Frame, ways: Ways, node: Node) -> Node:
        if not self.analysis.iterators or statement.kind != "for":
            return node
        for owner in iterated(self.program, statement.subject, frame):
            method = method_of(self.program, owner, name)
            if method is None or method.function.generator or method.function in self.stack:
                continue
            if self.analysis.communication.runs(method.function):
                inner = self.program.instance_frame(owner, method.module, method.function)
                self.stack.append(method.function)
                try:  # in place: nothing is called where the loop stands
                    return self.body(method.function, inner, Ways(node, node, node, node, ways.raises))
                finally:
                    self.stack.pop()
        return node
