"""What a rank meets first on its way: a use of a place that another rank is writing, or something at which it waits."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from trainlint.domains.communication import Communication
from trainlint.domains.files import Operation, Operations
from trainlint.finding import Spot
from trainlint.ir.abstract_interpretation import Interpreter
from trainlint.ir.nodes import Attr, Call, Const, Term
from trainlint.ir.sketch import Block, CallStep, Exit, If, Loop, Statement, Try, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.values import Context, FunctionValue, Library
from trainlint.spmd.writes.jobs import Jobs
from trainlint.spmd.writes.paths import Places
from trainlint.spmd.writes.reach import Reaching

if TYPE_CHECKING:
    from trainlint.program.program import Program

_STEPS = 2000
#: A rank that is neither rank 0 nor a local rank 0.
OTHER = 1


class Reading(NamedTuple):
    """A use of the place: file, spot, what is called."""

    module: str
    spot: Spot
    name: str


class _Waits(Exception):
    """The rank waits, or may do so."""


#: What is known of a rank: it has not come to the place where it is asked about, or met nothing since; or the use that it met.
_BEFORE, _ON = "before", "on"
_State = str | Reading


class Reader(Interpreter[_State]):
    """Follows one rank from a place on, as long as nothing says that it has waited."""

    def __init__(
        self, program: Program, operation: Operation, place: tuple[Hashable, ...], write: Term, rank: int = OTHER
    ) -> None:
        super().__init__()
        self.program = program
        self.rank = rank
        self.operation = operation
        self.place = place
        self.write = write
        self.places = Places(program)
        self.steps = 0
        knowledge = program.knowledge
        self._names = knowledge.waits | set(knowledge.backward)
        self._unseen = self._names | knowledge.collective_names.keys()
        self._libraries = knowledge.jobs | knowledge.job_wrappers | knowledge.ends | knowledge.spawners

    def after(self, begin: Statement, frame: Context) -> Reading | bool:
        """What the rank meets behind a statement of an activation (a test: in it, too); else whether it surely goes on.

        Of a ``with`` it is met in its body, too.
        """
        self.begin, self.frame = begin, frame
        try:
            found = self.behind(lambda: self.block(frame.function.body, _BEFORE), "return")
        except _Waits:
            return False
        return found if isinstance(found, Reading) else found == _ON

    def statement(self, node: Statement, state: _State) -> _State | None:
        """The state behind a statement."""
        if isinstance(state, Reading):
            return state
        self.steps += state == _ON
        if self.steps > _STEPS:
            raise _Waits
        if node is not self.begin:
            return super().statement(node, state)
        if isinstance(node, With):
            return self.block(node.body, _ON)
        return super().statement(node, _ON) if isinstance(node, (If, Exit)) else _ON

    def step(self, node: Statement, state: _State) -> _State | None:
        """A call may be what is looked for, or wait."""
        return self._call(node.term, self.frame) if state == _ON and isinstance(node, CallStep) else state

    def join(self, one: _State, other: _State) -> _State:
        """What is met on one way is met; the place is on one way only."""
        return max(one, other, key=lambda state: (isinstance(state, Reading), state == _ON))

    def context(self, node: With, state: _State) -> _State | None:
        """A manager may let the ranks in one after the other."""
        if state == _ON and any(self.program.ask(Reaching).orders(item, self.frame) for item in node.items):
            raise _Waits
        return super().context(node, state)

    def attempt(self, node: Try, state: _State) -> _State | None:
        """As if nothing failed, but where the place is in a handler."""
        handled = [self.block(handler, state) for handler in node.handlers] if state == _BEFORE else []
        return self.block(node.final, self.joined(self.block((*node.body, *node.orelse), state), *handled))

    def branch(self, node: If, state: _State) -> _State | None:
        """What is met in the arm that the rank takes, or may take."""
        frame = self.frame
        if state == _BEFORE:
            return super().branch(node, state)
        truth = self.program.ask(Reaching).truth(node.condition, frame, self.rank)
        if truth is True or truth is False:
            # What the others do there may be what this rank has waited for: a barrier split over two tests.
            if self._waits_in(node.orelse if truth else node.body, frame):
                raise _Waits
            return self.arm(node, truth, state)
        if self._asks(node.condition, frame):
            if self._waits_in(node.body, frame) or self._waits_in(node.orelse, frame):
                raise _Waits
            returned = next((arm[-1] for arm in (node.body, node.orelse) if _returns(arm)), None)
            return self.leave(returned, state) if isinstance(returned, Exit) else state  # what follows knows the answer
        return super().branch(node, state)

    def round(self, node: Loop, state: _State) -> _State | None:
        """A round, or none; who asks until the file is there waits."""
        if state == _ON and node.kind == "while" and self._asks(node.subject, self.frame):
            raise _Waits
        return self.joined(state, super().round(node, state))

    def _asks(self, condition: Term, frame: Context) -> bool:
        """Whether a test asks if the file is there: who does knows that it may not be."""
        for part in parts_of(condition):
            if isinstance(part, Call):
                name = last_name(part.callee)
                if name in self.program.knowledge.asks_methods:
                    return True
                if any(
                    isinstance(v, Library) and v.name in self.program.knowledge.asks
                    for v in self.program.values(part.callee, frame)
                ):
                    return True
        return False

    def _call(self, call: Call, frame: Context) -> _State | None:
        if self._is_wait(call, frame) and not self._is_open(call, frame):
            raise _Waits
        operation = self.program.ask(Operations).of(call, frame)
        if operation is not None:
            return self._use(operation, call, frame)
        for target in self.program.ask(CallGraph).targets(call, frame):
            if isinstance(target, FunctionValue) and not target.function.generator:
                return _ON if frame.runs(target.function) else self._enter(self.program.enter(target, call, frame))
        return _ON

    def _enter(self, inner: Context) -> _State | None:
        """What the rank meets in an activation."""
        if not self.program.ask(Reaching).decorated(inner).ranks[self.rank]:
            return _ON
        around, self.frame = self.frame, inner
        found = self.behind(lambda: self.block(inner.function.body, _ON), "return")
        self.frame = around
        return found

    def _is_open(self, call: Call, frame: Context) -> bool:
        """Whether a call runs one function that is gone into, so that what it does before it waits is seen."""
        targets = self.program.ask(CallGraph).targets(call, frame)
        if len(targets) != 1 or not isinstance(targets[0], FunctionValue):
            return False
        function = targets[0].function
        joins = id(function) in self.program.ask(Jobs).joins
        return not (joins or function.generator or function.decorators or frame.runs(function))

    def _use(self, operation: Operation, call: Call, frame: Context) -> _State:
        if operation.path is None or call is self.write:
            return _ON
        place = self.places.parts(operation.path, frame)
        if self.operation.kind == "make":
            inside = len(place) > len(self.place) and place[: len(self.place)] == self.place
            changes = (place == self.place and operation.kind in ("make", "remove")) or (inside and operation.kind == "make")
            fits = inside and operation.kind == "write"  # what is to be read there was put in by somebody who had the folder
        else:
            changes = place == self.place and operation.kind in ("write", "remove")
            fits = place == self.place and operation.kind == "read"
        if changes:
            raise _Waits
        return Reading(frame.module, call.site, operation.name.rpartition(".")[2]) if fits else _ON

    def _is_wait(self, call: Call, frame: Context) -> bool:
        name = last_name(call.callee)
        if isinstance(call.callee, Attr) and isinstance(call.callee.base, Const):
            return False  # a method of a text: ``" ".join(words)``
        knowledge = self.program.knowledge
        targets = self.program.ask(CallGraph).targets(call, frame)
        if name in (self._names if targets else self._unseen) and self.program.ask(Operations).of(call, frame) is None:
            return True
        talks = self.program.ask(Communication)
        for target in targets:
            if isinstance(target, Library):
                if target.name in knowledge.collectives or target.name in self._libraries:
                    return True
                if knowledge.kinds.get(target.name) == "prepared":
                    return True
            elif talks.runs(target.function) or id(target.function) in self.program.ask(Jobs).joins:
                return True
        return False

    def _waits_in(self, block: Block, frame: Context) -> bool:
        return any(type(node) is CallStep and self._is_wait(node.term, frame) for node in walk(block))


def _returns(block: Block) -> bool:
    """Whether a function is left at the end of a block: what follows knows the answer to the test."""
    return bool(block) and type(block[-1]) is Exit and block[-1].kind == "return"
