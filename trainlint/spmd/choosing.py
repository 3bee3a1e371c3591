"""Which of several things a rank calls: one of two by a condition, an item of a list or dict, what it was given elsewhere."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trainlint.facts.dispatch_tables import held_by
from trainlint.facts.literals import at, position
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Other
from trainlint.ir.nodes import Attr, Call, Const, Dict, List, Select, Slice, Subscript, Term, Tuple, Unknown
from trainlint.ir.sketch import CallStep
from trainlint.spmd.listing import Item, called
from trainlint.spmd.nesting import Ways
from trainlint.spmd.questions import ANY
from trainlint.spmd.symbols import UNKNOWN, Something
from trainlint.spmd.trace import Guard, Node, Part, Where

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.spmd.ranks import Evaluator
    from trainlint.spmd.uniform_check import Agreement


class Choosing:
    """The part of :class:`trainlint.spmd.build.Builder` that asks what ranks chose to call."""

    analysis: Agreement
    program: Program
    evaluator: Evaluator
    rank: int
    arms: dict[Guard, bool]
    #: What a call puts into a trace.
    call: Callable[[CallStep, Frame, Ways], Node]

    @abstractmethod
    def branch(self, condition: Term, frame: Frame, then: Node, other: Node, guard: Guard) -> Node:
        """A test: the arm that this rank takes, or both when that is unknown."""

    @abstractmethod
    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""

    @abstractmethod
    def run_target(self, target: Library | FunctionValue, call: Call, frame: Frame, where: Where, ways: Ways) -> Node | None:
        """What a call of this runs; None when nothing is known of it."""

    def chosen(self, statement: CallStep, frame: Frame, ways: Ways) -> Node | None:
        """A call of one of several things that are written down where it stands; None for every other call."""
        callee = statement.term.callee
        if isinstance(callee, Subscript):
            own = self.own_item(statement, callee, frame, ways)
            own = self.own_drawn(statement, callee, frame, ways) if own is None else own
            return self.own_kept(statement, callee.base, callee.key, frame, ways) if own is None else own
        if isinstance(callee, Call):
            holder = held_by(self.program.knowledge.hands_out, callee)
            return self.own_kept(statement, holder, callee.args[0], frame, ways) if holder is not None else None
        if isinstance(callee, (Select, Attr)) and statement.term not in self.analysis.communication.unnamed:
            return self.one_of_two(statement, callee, frame, ways)
        return None

    def one_of_two(self, statement: CallStep, callee: Select | Attr, frame: Frame, ways: Ways) -> Node | None:
        """A call of one of two things, by a condition: ``(barrier if main else skip)()``, ``(log if main else None).close()``."""
        call = statement.term
        either = callee if isinstance(callee, Select) else callee.base
        if not isinstance(either, Select) or not self.analysis.may_talk(call):
            return None
        then, other = [
            self.call(statement._replace(term=self.analysis.instead(call, arm)), frame, ways)
            if not isinstance(arm, Const)
            else ways.next
            for arm in either.arms
        ]
        return self.branch(either.test, frame, then, other, Guard(frame.module, call.site, call.site, either.test, frame))

    def own_item(self, statement: CallStep, callee: Subscript, frame: Frame, ways: Ways) -> Node | None:
        """A call of an item that the rank chooses: ``{True: barrier, False: skip}[rank == 0]()``."""
        call = statement.term
        display, key = callee.base, callee.key
        if isinstance(key, Const) or not isinstance(display, (List, Tuple, Dict)) or not self.evaluator.differs(key, frame):
            return None
        keys = [peer.value(key, frame) for peer in self.evaluator.peers()]
        known = [position(display, own) for own in keys]
        found = [place for place in known if place is not None]
        if len(found) < len(known):
            return None
        guard = Guard(frame.module, call.site, call.site, key, frame)
        arm = self.arms[guard] = found[self.rank] == found[0]
        self.analysis.ranked = True
        inner = self.call(statement._replace(term=self.analysis.with_callee(call, at(display, found[self.rank]))), frame, ways)
        return self.mark(Part, guard, arm, True, inner)

    def own_kept(self, statement: CallStep, base: Term, key: Term, frame: Frame, ways: Ways) -> Node | None:
        """The same, where the list or dict is written down elsewhere: ``HANDLERS[mode]()``, ``self.steps.get(mode, rest)()``."""
        if isinstance(key, (Const, Slice, Unknown)) or not self.evaluator.differs(key, frame):
            return None
        whole = self.program.values(base, frame)
        display = whole[0] if len(whole) == 1 else None
        if not isinstance(display, Other) or not isinstance(display.term, (List, Tuple, Dict)):
            return None
        call, known = statement.term, self.evaluator
        wanted = [peer.value(key, frame) for peer in known.peers()]
        if any(isinstance(value, UNKNOWN) for value in wanted):
            return None
        places = [position(display.term, value) for value in wanted]
        found = [None if place is None else Item(at(display.term, place), display.frame) for place in places]
        if None in found:
            if not isinstance(call.callee, Call):
                return None
            rest = Item(call.callee.args[1], frame) if call.callee.args[1:] else None
            found = [rest if item is None else item for item in found]
        own = found[self.rank]
        guard = Guard(frame.module, call.site, call.site, key, frame)
        arm = self.arms[guard] = own == found[0]
        self.analysis.ranked = True
        self.analysis.consult(ANY)
        where = Where(frame.module, call.site, statement.statement)
        targets = called(self.program, call.callee, own) if own is not None else []
        runs = (self.run_target(target, call, frame, where, ways) for target in targets)
        inner = next((node for node in runs if node is not None), ways.next)
        return self.mark(Part, guard, arm, True, inner)

    @abstractmethod
    def own_drawn(self, statement: CallStep, callee: Subscript, frame: Frame, ways: Ways) -> Node | None:
        """A call of an item of a comprehension that the rank chooses."""

    def own_target(
        self, targets: list[Library | FunctionValue], call: Call, frame: Frame
    ) -> tuple[Guard, bool, Library | FunctionValue | None] | None:
        """Which of several things a call runs on this rank, where ranks were given different ones; None where that is not so.

        What is called is an object, or a function, that was chosen by the rank elsewhere: in another function, another file.
        """
        chosen = call.callee.base if isinstance(call.callee, Attr) else call.callee
        if not self.evaluator.differs(chosen, frame):
            return None
        found = [_among(targets, peer.value(chosen, frame)) for peer in self.evaluator.peers()]
        if not all(known for known, _ in found):
            return None
        guard = Guard(frame.module, call.site, call.site, chosen, frame)
        mine = found[self.rank][1]
        arm = mine == found[0][1]
        self.analysis.ranked = True
        self.arms[guard] = arm
        return guard, arm, mine


def _among(targets: list[Library | FunctionValue], value: Any) -> tuple[bool, Library | FunctionValue | None]:
    """Whether it is known which of several callees (none of them: None) a value is, or is an object of; and which."""
    if value is None:
        return True, None
    if not isinstance(value, Something):
        return not isinstance(value, UNKNOWN), None
    key = value.key
    for target in targets:
        if key == target:
            return True, target
        owner = target.receiver if isinstance(target, FunctionValue) else None
        made = isinstance(owner, Instance) and owner.call is not None and type(key) is tuple and key[0] is owner.call
        if made and isinstance(owner, Instance) and key[2:] in ((), (ClassValue(owner.module, owner.cls),)):
            return True, target
    return False, None
