"""What a call puts into a trace: an event, a callee's own trace, the end of the process, or nothing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from trainlint.facts.calls import last_name
from trainlint.facts.values import Frame, FunctionValue, Library, Made
from trainlint.model.sketch import Call, Function
from trainlint.model.terms import Term
from trainlint.spmd.events import Events
from trainlint.spmd.nesting import Ways
from trainlint.spmd.questions import ANY
from trainlint.spmd.symbols import WORLD
from trainlint.spmd.trace import Enter, Event, Invoke, Leave, Node, Nodes, Where

if TYPE_CHECKING:
    from trainlint.spmd.agreement import Agreement

_DEEPEST = 12


class Calling(Events):
    """The part of :class:`trainlint.spmd.build.Builder` that follows calls."""

    analysis: Agreement
    nodes: Nodes
    rank: int
    stack: list[Function]
    #: How many blocks around switch communication off.
    muted: int
    #: The function whose call counts as an event when it is asked which ranks a decorator lets through.
    wanted: Function | None
    #: What runs where a wrapper calls the function it wraps, by the id of that function.
    wrapped: dict[int, Callable[[Ways], Node]]

    @abstractmethod
    def body(self, function: Function, frame: Frame, ways: Ways) -> Node:
        """The body of a function, as its decorators let this rank run it."""

    @abstractmethod
    def unwrapped(self, call: Term, frame: Frame, ways: Ways) -> Node | None:
        """What runs where a wrapper calls the function it wraps."""

    def call(self, statement: Call, frame: Frame, ways: Ways) -> Node:
        call = statement.term
        if self.wanted is not None:
            targets = self.analysis.index.targets(call, frame)
            if any(isinstance(target, FunctionValue) and target.function is self.wanted for target in targets):
                node: Node = self.nodes.make(
                    Event, "decorated", "decorated", Where(frame.module, call[4], statement.statement), call, ways.next
                )
                return node
            return ways.next
        inner = self.unwrapped(call, frame, ways) if self.wrapped else None
        if inner is not None:
            return inner
        where = Where(frame.module, call[4], statement.statement)
        if self.analysis.communication.says(frame.module, call):
            return self.declared(last_name(call[1]) or "call", where, call, ways.next)
        if self.muted or not self.analysis.may_talk(call):
            return ways.next
        if call in self.analysis.communication.unnamed:
            self.analysis.consult(ANY)  # which model it is may be a matter of the arguments
            met = self.analysis.communication.met(call, frame)
            if met is not None:
                return self.unnamed(met, call, where, ways.next)
        self._consult_what_is_called(call, frame)
        for target in self.analysis.index.targets(call, frame):
            found = self._run(target, call, frame, where, ways)
            if found is not None:
                return found
        return ways.next

    def _consult_what_is_called(self, call: Term, frame: Frame) -> None:
        overriding = self.analysis.communication.overriding(call, frame.module)
        # What was handed over, and which method of a derived class it is: both are a matter of the caller.
        if call[1][0] == "p":
            self.analysis.consult(call[1][2])
        elif any(map(self.analysis.communication.runs, overriding)):
            self.analysis.consult("self")

    def _run(self, target: Library | FunctionValue, call: Term, frame: Frame, where: Where, ways: Ways) -> Node | None:
        """What a call of this runs; None when nothing is known of it."""
        if isinstance(target, Library):
            if target.name in self.program.knowledge.collectives:
                return self.event(target.name, call, where, frame, ways.next)
            return self.nodes.end if target.name in self.program.knowledge.ends else None
        if id(target.function) in self.analysis.communication.declared:
            return self.declared(target.function.name, where, call, ways.next)
        if self.analysis.communication.runs(target.function):
            if target.function.generator:
                return None  # runs when it is iterated, or around the body of a `with`
            return self.run_function(target, self.program.enter(target, call, frame), where, ways)
        if self._may_end(target):
            return self.look_into(target, self.program.enter(target, call, frame), where, ways.next, ways.raises)
        return None

    def declared(self, name: str, where: Where, call: Term, next_: Node) -> Node:
        """A call of which a comment says that every rank must make it."""
        node: Node = self.nodes.make(Event, name, name, where, call, next_)
        return node

    def _may_end(self, target: FunctionValue) -> bool:
        """Whether a function that runs no collective must be looked into because it may end the process, or some ranks' way."""
        function = target.function
        if function.generator or function in self.stack or len(self.stack) > _DEEPEST:
            return False
        return self.analysis.communication.leaves(function) or self.analysis.raises_apart(target)

    def event(self, name: str, call: Term, where: Where, frame: Frame, next_: Node) -> Node:
        knowledge = self.program.knowledge
        if not self.analysis.communication.communicates(name, call, frame):
            return next_
        group = self.group(call, knowledge.collectives[name])
        members = None
        if group is not None and not self.whole_world(group, frame):
            members = self.members(group, frame)
            if members is None:
                return next_  # traffic of a sub-group is between its members only
            self.analysis.ranked = self.nodes.grouped = True
            if self.rank not in members:
                return next_
        last = name.rpartition(".")[2]
        operation = knowledge.operations.get(last, last)
        node: Node = self.nodes.make(Event, operation, name, where, call, next_, members)
        return node

    def members(self, group: Term, frame: Frame) -> tuple[int, ...] | None:
        """The ranks of a group that is made of numbers written down in the program, all of them example ranks; else None."""
        knowledge = self.program.knowledge
        groups = [value for value in self.program.values(group, frame) if isinstance(value, Made) and value.call is not None]
        groups = [value for value in groups if knowledge.collective_kinds.get(value.name) == "new-group"]
        if len(groups) > 1:  # which of them may be a matter of the rank
            chosen = getattr(self.evaluator.value(group, frame), "key", None)
            groups = [value for value in groups if type(chosen) is tuple and chosen[0] is value.call]
        if len(groups) != 1 or groups[0].call is None or groups[0].frame is None:
            return None
        call, made_in = groups[0].call, groups[0].frame
        given = call[2][0] if call[2] else next((value for name, value in call[3] if name == "ranks"), None)
        if given is None or given[0] not in ("list", "tuple", "set") or type(given[1]) is not tuple:
            return None
        numbers = [self.evaluator.evaluate(item, made_in) for item in given[1]]
        if any(type(number) is not int or asked or not 0 <= number < WORLD for number, asked in numbers):
            return None
        return tuple(sorted(number for number, _ in numbers))

    def group(self, call: Term, position: int) -> Term | None:
        if position < 0:
            return None
        for keyword, value in call[3]:
            if keyword == "group":
                return value  # type: ignore[no-any-return]
        return call[2][position] if len(call[2]) > position else None

    def whole_world(self, group: Term, frame: Frame) -> bool:
        return self.evaluator.value(group, frame) is None or self.evaluator.is_world(group, frame)

    def run_function(self, target: FunctionValue, inner: Frame, where: Where, ways: Ways) -> Node:
        """A call of a function that communicates: opaque where all ranks agree in it, else looked into."""
        function = target.function
        if function in self.stack and id(function) in self.analysis.communication.obeying:
            return ways.next  # nothing says that it obeys the same again
        if function in self.stack or len(self.stack) > _DEEPEST:
            return self.mark(Invoke, target, inner, where, ways.next)
        verdict = self.analysis.verdict(target, inner)
        if not verdict.talks:
            return ways.next
        if not verdict.divergences or not self.analysis.inlining:
            opaque = self.mark(Invoke, target, inner, where, ways.next)
            self.analysis.meet(verdict, opaque)
            return opaque
        return self.look_into(target, inner, where, ways.next, ways.raises)

    def look_into(self, target: FunctionValue, inner: Frame, where: Where, next_: Node, raises: Node) -> Node:
        """The callee's own trace in place of the call."""
        leave = self.mark(Leave, next_)
        self.stack.append(target.function)
        try:
            body = self.body(target.function, inner, Ways(leave, leave, leave, leave, raises))
        finally:
            self.stack.pop()
        return self.mark(Enter, target, where, body)
