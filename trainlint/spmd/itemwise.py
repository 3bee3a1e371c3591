"""Loops over containers whose items are known: gone through item by item, where ranks have others, or ask which is theirs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trainlint.facts.values import Frame, Library
from trainlint.ir.nodes import Attr, BinOp, Call, Global, List, Param, Select, Set, Subscript, Term, Tuple, Unknown
from trainlint.ir.sketch import CallStep, If, Loop
from trainlint.ir.terms import mentions
from trainlint.ir.walk import ends_early, of_kind, walk
from trainlint.spmd.nesting import Ways
from trainlint.spmd.questions import ANY
from trainlint.spmd.trace import Guard, Node, Part

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator
    from trainlint.spmd.uniform_check import Agreement

_MOST = 8
#: Tags of what may be such a container.
_MAY_BE = frozenset((List, Tuple, Set, Unknown, Global, Call, Subscript, BinOp, Param, Attr, Select))


class Itemwise:
    """The part of :class:`trainlint.spmd.build.Builder` that goes through such loops."""

    analysis: Agreement
    evaluator: Evaluator
    rank: int
    arms: dict[Guard, bool]
    #: What a call puts into a trace.
    call: Callable[[CallStep, Frame, Ways], Node]
    #: The ranks for which a call makes a group.
    made_of: Callable[[Term, Frame], tuple[int, ...] | None]

    @abstractmethod
    def round(self, number: int, statement: Loop, frame: Frame, ways: Ways, next_: Node) -> Node:
        """One round of a loop that is gone through, and then the next."""

    @abstractmethod
    def is_of_ranks(self, test: If, frame: Frame) -> bool:
        """Whether ranks answer a test differently."""

    @abstractmethod
    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""

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
        drawn = frame.function.drawn.get(callee.base)
        key = callee.key
        if drawn is None or drawn.tests or drawn.target in self.evaluator.loops or not self.evaluator.differs(key, frame):
            return None
        source = self.evaluator.container(drawn.subject, frame)
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
        drawn = frame.function.drawn.get(group.base)
        if (
            drawn is None
            or drawn.key is not None
            or drawn.tests
            or not isinstance(drawn.item, Call)
            or drawn.target in self.evaluator.loops
        ):
            return None
        source, number = self.evaluator.container(drawn.subject, frame), self.evaluator.value(group.key, frame)
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
