"""Loops that are gone through round by round: over the ranks, over numbers, over lists and with counts that ranks differ in."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from trainlint.facts.values import Bound, Frame, FunctionValue
from trainlint.ir.nodes import And, Call, Compare, Const, List, LoopPhi, Param, Subscript, Term
from trainlint.ir.sketch import Block, CallStep, Exit, If, Loop
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import of_kind, walk
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


class Unrolling:
    """The part of :class:`trainlint.spmd.build.Builder` that unrolls loops."""

    analysis: Agreement
    program: Program
    evaluator: Evaluator
    rank: int
    arms: dict[Guard, bool]
    elements: dict[Term, Item]
    #: The tests in whose arms (the first, or the second) the statement stands that is looked at.
    tests: list[tuple[If, bool, Frame]]
    #: The rounds around this place, of the loops that are gone through one by one.
    turn: tuple[int, ...] = ()
    #: The loops whose rounds are not gone through one by one.
    looped: dict[LoopAt, tuple[Loop, Frame]]

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
