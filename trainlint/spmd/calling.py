"""What a call puts into a trace: an event, a callee's own trace, the end of the process, or nothing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trainlint.facts.call_graph import last_name
from trainlint.facts.dispatch_tables import held_by
from trainlint.facts.literals import at, position
from trainlint.facts.parallel import Met
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Other
from trainlint.ir.nodes import (
    Attr,
    Call,
    Collected,
    Const,
    Dict,
    Element,
    Global,
    List,
    Param,
    Select,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Function
from trainlint.spmd.common_groups import CommonGroups, group_of
from trainlint.spmd.listing import Item, called
from trainlint.spmd.nesting import Catches, Ways
from trainlint.spmd.questions import ANY
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import UNKNOWN, WORLD, Choice, PerRank, Something, Sym
from trainlint.spmd.trace import Enter, Event, Guard, Invoke, Leave, Node, Nodes, Part, Where

if TYPE_CHECKING:
    from trainlint.spmd.uniform_check import Agreement

_DEEPEST = 12
#: What ``new_group`` is given where it is given no ranks.
_NONE = Const.new("NoneType", None)
#: A function that runs so often in itself is opaque after all.
_MOST_ACTIVATIONS = 6
#: Functions that are gone through to see whether one leads to itself.
_FAR = 30


class Calling:
    """The part of :class:`trainlint.spmd.build.Builder` that follows calls."""

    analysis: Agreement
    nodes: Nodes
    rank: int
    arms: dict[Guard, bool]
    #: How many recursions around are gone into.
    recursing: int
    #: What the targets of unrolled loops hold.
    elements: dict[Term, Item]
    stack: list[Function]
    #: How many blocks around switch communication off.
    muted: int
    #: The function whose call counts as an event when it is asked which ranks a decorator lets through.
    wanted: Function | None
    #: What runs where a wrapper calls the function it wraps, by the id of that function.
    wrapped: dict[int, Callable[[Ways], Node]]
    program: Program
    evaluator: Evaluator

    @abstractmethod
    def body(self, function: Function, frame: Frame, ways: Ways) -> Node:
        """The body of a function, as its decorators let this rank run it."""

    @abstractmethod
    def unwrapped(self, call: Call, frame: Frame, ways: Ways) -> Node | None:
        """What runs where a wrapper calls the function it wraps."""

    def call(self, statement: CallStep, frame: Frame, ways: Ways) -> Node:
        call = statement.term
        if self.wanted is not None:
            targets = self.analysis.index.targets(call, frame)
            if any(isinstance(target, FunctionValue) and target.function is self.wanted for target in targets):
                node: Node = self.nodes.make(
                    Event, "decorated", "decorated", Where(frame.module, call.site, statement.statement), call, ways.next
                )
                return node
            return ways.next
        inner = self.unwrapped(call, frame, ways) if self.wrapped else None
        if inner is not None:
            return inner
        where = Where(frame.module, call.site, statement.statement)
        chosen = self.chosen(statement, frame, ways)
        if chosen is not None:
            return chosen
        if self.analysis.communication.says(frame.module, call):
            return self.declared(last_name(call.callee) or "call", where, call, ways.next)
        if self.muted or not self.analysis.may_talk(call):
            return ways.next
        drawn = self.consumed(call, frame, ways) if self.analysis.generators else None
        if drawn is not None:
            return drawn
        if call in self.analysis.communication.unnamed:
            self.analysis.consult(ANY)  # which model it is may be a matter of the arguments
            met = self.analysis.communication.met(call, frame)
            if met is not None:
                return self.unnamed(met, call, where, ways.next)
        self._consult_what_is_called(call, frame)
        targets = self.targets(call, frame)
        if len(targets) > 1 and isinstance(call.callee, (Attr, Global, Param)):
            own = self.own_target(targets, call, frame)
            if own is not None:
                guard, arm, mine = own
                found = self.run_target(mine, call, frame, where, ways) if mine is not None else None
                return self.mark(Part, guard, arm, True, ways.next if found is None else found)
        for target in targets:
            found = self.run_target(target, call, frame, where, ways)
            if found is not None:
                return found
        return ways.next

    def targets(self, call: Call, frame: Frame) -> list[Library | FunctionValue]:
        """What a call may run; where a loop is unrolled, the item that is its turn."""
        callee = call.callee
        item = self.elements.get(callee.base if isinstance(callee, Attr) else callee) if self.elements else None
        if isinstance(callee, Subscript) and callee.base in self.evaluator.loops:
            drawn = self.evaluator.value(callee, frame)
            if isinstance(drawn, Something) and type(drawn.key) is tuple and isinstance(drawn.key[0], Term):
                item = Item(*drawn.key[:2])
        return self.analysis.index.targets(call, frame) if item is None else called(self.program, callee, item)

    @abstractmethod
    def consumed(self, call: Call, frame: Frame, ways: Ways) -> Node | None:
        """What a library call runs that draws from a generator."""

    @abstractmethod
    def branch(self, condition: Term, frame: Frame, then: Node, other: Node, guard: Guard) -> Node:
        """A test: the arm that this rank takes, or both when that is unknown."""

    @abstractmethod
    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""

    def _consult_what_is_called(self, call: Call, frame: Frame) -> None:
        overriding = self.analysis.communication.overriding(call, frame.module)
        # What was handed over, and which method of a derived class it is: both are a matter of the caller.
        if isinstance(call.callee, Param):
            self.analysis.consult(call.callee.name)
        elif isinstance(call.callee, (Element, Subscript)) or (isinstance(call.callee, Attr) and self._is_kept(call.callee)):
            self.analysis.consult(ANY)
        elif any(map(self.analysis.communication.runs, overriding)):
            self.analysis.consult("self")

    def _is_kept(self, callee: Attr) -> bool:
        """Whether a callee is a method of an item, or a function that an object keeps."""
        return isinstance(callee.base, (Element, Subscript)) or callee.name in self.analysis.communication.kept

    def run_target(self, target: Library | FunctionValue, call: Call, frame: Frame, where: Where, ways: Ways) -> Node | None:
        """What a call of this runs; None when nothing is known of it."""
        if isinstance(target, Library):
            return self._run_library(target.name, call, frame, where, ways)
        if id(target.function) in self.analysis.communication.declared:
            return self.declared(target.function.name, where, call, ways.next)
        if self.analysis.communication.runs(target.function):
            if target.function.generator:
                return None  # runs when it is iterated, or around the body of a `with`
            return self.run_function(target, self.program.enter(target, call, frame), where, ways)
        if self._may_end(target):
            return self.look_into(target, self.program.enter(target, call, frame), where, ways.next, ways.raises, ways.catches)
        return None

    def _run_library(self, name: str, call: Call, frame: Frame, where: Where, ways: Ways) -> Node | None:
        """What a call of a library's function runs, and before it what was registered to be run then."""
        node: Node | None = None
        if name in self.program.knowledge.collectives:
            node = self.event(name, call, where, frame, ways.next)
        elif name in self.program.knowledge.ends:
            node = self.nodes.over
        elif self.program.knowledge.applies.get(name) == "each" and call.args[1:]:
            node = self.for_each(call, frame, where, ways)
        registered = self.analysis.hooks.by_runner.get(name)
        for found in reversed(list(self.analysis.hooks.run_by(name, call, frame))) if registered else ():
            if self.analysis.communication.runs(found.function.function):
                inner = self.program.enter(found.function, found.run, frame)
                node = self.run_function(found.function, inner, where, ways._replace(next=node or ways.next))
        return node

    @abstractmethod
    def for_each(self, call: Call, frame: Frame, where: Where, ways: Ways) -> Node:
        """What runs where a library calls a function for each item."""

    def declared(self, name: str, where: Where, call: Call, next_: Node) -> Node:
        """A call of which a comment says that every rank must make it."""
        node: Node = self.nodes.make(Event, name, name, where, call, next_)
        return node

    def _may_end(self, target: FunctionValue) -> bool:
        """Whether a function that runs no collective must be looked into because it may end the process, or some ranks' way."""
        function = target.function
        if function.generator or function in self.stack or len(self.stack) > _DEEPEST:
            return False
        return self.analysis.communication.leaves(function) or self.analysis.raises_apart(target)

    def _may_raise(self, target: FunctionValue) -> bool:
        """Whether an error of a function that communicates matters: some ranks raise it, and somebody around catches it."""
        return len(self.stack) < _DEEPEST and self.analysis.raises_apart(target)

    def event(self, name: str, call: Call, where: Where, frame: Frame, next_: Node) -> Node:
        knowledge = self.program.knowledge
        if not self.analysis.communication.communicates(name, call, frame):
            return next_
        group = group_of(call, knowledge.collectives[name], self.program)
        if group is not None and frame.hands_on_nothing(group):
            group = None
        members: tuple[Any, ...] | None = None
        if group is not None and not self.whole_world(group, frame):
            members = self.members(group, frame) or self.common(group, frame)
            if members is None:
                return next_  # traffic of a sub-group is between its members only
            if len(members) == WORLD:
                members = None
            elif len(members) < WORLD:
                self.analysis.ranked = self.nodes.grouped = True
                if self.rank not in members:
                    return next_
        last = name.rpartition(".")[2]
        operation = knowledge.operations.get(last, last)
        node: Node = self.nodes.make(Event, operation, name, where, call, next_, members)
        return node

    def common(self, group: Term, frame: Frame) -> tuple[Any, ...] | None:
        """All ranks, and what stands for a group that every one of them uses in the function: each is in its own; else None."""
        found = self.program.ask(CommonGroups).of(group, frame, self.evaluator)
        return None if found is None else (*range(WORLD), found)

    def members(self, group: Term, frame: Frame) -> tuple[int, ...] | None:
        """The ranks of a group that is made of numbers written down in the program, all of them example ranks; else None."""
        if isinstance(group, Subscript) and isinstance(group.base, Collected):
            return self.own_group(group, frame)
        knowledge = self.program.knowledge
        groups = [value for value in self.program.values(group, frame) if isinstance(value, Made) and value.call is not None]
        groups = [value for value in groups if knowledge.collective_kinds.get(value.name) == "new-group"]
        if len(groups) > 1:  # which of them may be a matter of the rank
            chosen = getattr(self.evaluator.value(group, frame), "key", None)
            groups = [value for value in groups if type(chosen) is tuple and chosen[0] is value.call]
        if len(groups) != 1 or groups[0].call is None or groups[0].frame is None:
            return None
        call = groups[0].call
        if groups[0].name.endswith(".new_group") and not any(name is None for name, _ in call.kwargs):
            ranks = call.args[0] if call.args else next((value for name, value in call.kwargs if name == "ranks"), _NONE)
            if isinstance(ranks, Const) and ranks.value is None:
                return tuple(range(WORLD))
        return self.made_of(groups[0].call, groups[0].frame)

    @abstractmethod
    def own_group(self, group: Subscript, frame: Frame) -> tuple[int, ...] | None:
        """The ranks of a group that the rank chooses among those that a comprehension makes."""

    def made_of(self, call: Call, made_in: Frame) -> tuple[int, ...] | None:
        """The ranks for which a call makes a group, if all of them are example ranks."""
        given = call.args[0] if call.args else next((value for name, value in call.kwargs if name == "ranks"), None)
        if given is None:
            return None
        numbers = self._numbers(given, made_in)
        if numbers is None or any(type(number) is not int or asked or not 0 <= number < WORLD for number, asked in numbers):
            return None
        return tuple(sorted(number for number, _ in numbers))

    def _numbers(self, given: Term, frame: Frame) -> list[tuple[Any, bool]] | None:
        """The numbers of a list or range that is written down, here or elsewhere, each with whether it is the rank's own."""
        for value in self.program.values(given, frame):
            if isinstance(value, Other) and isinstance(value.term, (List, Tuple, Set)) and type(value.term.items) is tuple:
                return [self.evaluator.evaluate(item, value.frame) for item in value.term.items]
        numbers = self.evaluator.range_of(given, frame)
        if numbers is None or len(numbers) > WORLD or not isinstance(given, Call):
            return None
        if any(self.evaluator.evaluate(bound, frame)[1] for bound in given.args):
            return None
        return [(number, False) for number in numbers]

    def whole_world(self, group: Term, frame: Frame) -> bool:
        return self.evaluator.value(group, frame) is None or self.evaluator.is_world(group, frame)

    def run_function(self, target: FunctionValue, inner: Frame, where: Where, ways: Ways) -> Node:
        """A call of a function that communicates: opaque where all ranks agree in it, else looked into."""
        function = target.function
        if function in self.stack and id(function) in self.analysis.communication.obeying:
            return ways.next  # nothing says that it obeys the same again
        if len(self.stack) <= _DEEPEST and self.deepens(function, inner):
            self.recursing += 1
            try:
                return self.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
            finally:
                self.recursing -= 1
        if function in self.stack or len(self.stack) > _DEEPEST:
            return self.mark(Invoke, target, inner, where, ways.next)
        if ways.raises is not self.nodes.end and self._may_raise(target):
            return self.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
        if self.analysis.stops_apart(function, inner):  # they agree up to its end, and then some of them do not come back
            return self.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
        verdict = self.analysis.verdict(target, inner)
        if not verdict.talks:
            return ways.next
        if not verdict.divergences or not self.analysis.inlining:
            opaque = self.mark(Invoke, target, inner, where, ways.next)
            self.analysis.meet(verdict, opaque)
            return opaque
        return self.look_into(target, inner, where, ways.next, ways.raises, ways.catches)

    def look_into(
        self, target: FunctionValue, inner: Frame, where: Where, next_: Node, raises: Node, catches: Catches | None = None
    ) -> Node:
        """The callee's own trace in place of the call."""
        leave = self.mark(Leave, next_)
        self.stack.append(target.function)
        try:
            body = self.body(target.function, inner, Ways(leave, leave, leave, leave, raises, catches=catches))
        finally:
            self.stack.pop()
        return self.mark(Enter, target, where, body)

    @abstractmethod
    def pick(self, symbol: Sym, then: Node, other: Node) -> Node:
        """A branch on something unknown."""

    def unnamed(self, met: Met, call: Call, where: Where, next_: Node) -> Node:
        """A pass of a model that all ranks train, where the conditions hold under which the model is one of these."""
        node: Node = self.mark(Event, met.name, met.name, where, call, next_)
        for condition, frame, holds in reversed(met.conditions):
            value = self.evaluator.value(condition, frame)
            if isinstance(value, (PerRank, Choice)):
                return next_
            if isinstance(value, Sym):
                node = self.pick(value, node, next_) if holds else self.pick(value, next_, node)
            elif bool(value) != holds:
                return next_
        return node

    def deepens(self, function: Function, inner: Frame) -> bool:
        """Whether a call of a function that is running, or that leads back to one, is to be looked into."""
        running = self.stack.count(function)
        if running >= _MOST_ACTIVATIONS or not inner.arguments or not self.analysis.leads_to_itself(function):
            return False
        return self._by_rank(inner)

    def _by_rank(self, inner: Frame) -> bool:
        """Whether a call passes a number that is known, and another one on other ranks."""
        for bound in inner.arguments.values():
            if isinstance(bound, Bound) and not isinstance(bound.term, Const):
                value, asked = self.evaluator.evaluate(bound.term, bound.frame)
                if asked and not isinstance(value, UNKNOWN) and self.evaluator.differs(bound.term, bound.frame):
                    return True
        return False

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


def leads_to_itself(analysis: Agreement, function: Function) -> bool:
    """Whether a function that communicates can come to a call of itself."""
    pending, seen = [function], {id(function)}
    while pending and len(seen) < _FAR:
        for site in analysis.index.callers(pending.pop()):
            if site.function is function:
                return True
            if id(site.function) not in seen and site.function.kind != "module":
                seen.add(id(site.function))
                pending.append(site.function)
    return False


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
