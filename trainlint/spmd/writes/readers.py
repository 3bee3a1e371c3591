"""What a rank meets first on its way: a use of a place that another rank is writing, or something at which it waits."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from trainlint.domains.communication import Communication
from trainlint.domains.files import Operation, Operations
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Term
from trainlint.ir.sketch import Block, CallStep, Exit, If, Loop, Statement, Try, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import effects, walk
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


class Reader:
    """Follows one rank, as long as nothing says that it has waited.

    Outcomes are ``on``, ``return``, ``loop`` (the rest of a loop's round is left out), ``end`` (the process ends), ``stop`` (it
    waits, or may do so), or the :class:`Reading` that was sought.
    """

    def __init__(
        self, program: Program, operation: Operation, place: tuple[Hashable, ...], write: Term, rank: int = OTHER
    ) -> None:
        self.program = program
        self.rank = rank
        self.operation = operation
        self.place = place
        self.write = write
        self.places = Places(program)
        self.steps = 0
        knowledge = program.knowledge
        self._names = knowledge.waits | set(knowledge.backward)
        self._unseen = self._names | {name.rpartition(".")[2] for name in knowledge.collectives}
        self._libraries = knowledge.jobs | knowledge.job_wrappers | knowledge.ends | knowledge.spawners

    def block(self, block: Block, frame: Context) -> str | Reading:
        for node in effects(block):
            self.steps += 1
            if self.steps > _STEPS:
                return "stop"
            outcome = self.statement(node, frame)
            if outcome != "on":
                return outcome
        return "on"

    def statement(self, node: Statement, frame: Context) -> str | Reading:
        if type(node) is CallStep:
            return self._call(node.term, frame)
        if type(node) is If:
            return self._branch(node, frame)
        if type(node) is Loop:
            return self._loop(node, frame)
        if type(node) is With:
            if any(self.program.ask(Reaching).orders(item, frame) for item in node.items):
                return "stop"
            return self.block(node.body, frame)
        if type(node) is Try:
            for part in (node.body, node.orelse, node.final):
                outcome = self.block(part, frame)
                if outcome != "on":
                    return outcome
            return "on"
        if type(node) is Exit:
            return {"return": "return", "break": "loop", "continue": "loop"}.get(node.kind, "end")
        return "on"

    def _branch(self, node: If, frame: Context) -> str | Reading:
        truth = self.program.ask(Reaching).truth(node.condition, frame, self.rank)
        if truth is True or truth is False:
            taken, other = (node.body, node.orelse) if truth else (node.orelse, node.body)
            # What the others do there may be what this rank has waited for: a barrier split over two tests.
            return "stop" if self._waits_in(other, frame) else self.block(taken, frame)
        if self._asks(node.condition, frame):
            if self._waits_in(node.body, frame) or self._waits_in(node.orelse, frame):
                return "stop"
            return "return" if any(_returns(arm) for arm in (node.body, node.orelse)) else "on"
        found: str | Reading = "on"
        for arm in (node.body, node.orelse):
            outcome = self.block(arm, frame)
            if outcome == "stop":
                return "stop"
            if isinstance(outcome, Reading) and not isinstance(found, Reading):
                found = outcome
        return found

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

    def _loop(self, node: Loop, frame: Context) -> str | Reading:
        if node.kind == "while" and self._asks(node.subject, frame):
            return "stop"
        outcome = self.block(node.body, frame)
        if outcome in ("stop", "end", "return") or isinstance(outcome, Reading):
            return outcome if outcome != "return" else "on"
        return self.block(node.orelse, frame)

    def _call(self, call: Call, frame: Context) -> str | Reading:
        if self._is_wait(call, frame) and not self._is_open(call, frame):
            return "stop"
        operation = self.program.ask(Operations).of(call, frame)
        if operation is not None:
            return self._use(operation, call, frame)
        for target in self.program.ask(CallGraph).targets(call, frame):
            if isinstance(target, FunctionValue) and not target.function.generator:
                if frame.runs(target.function):
                    return "on"
                inner = self.program.enter(target, call, frame)
                if not self.program.ask(Reaching).decorated(inner).ranks[self.rank]:
                    return "on"
                outcome = self.block(target.function.body, inner)
                return "on" if outcome in ("return", "loop") else outcome
        return "on"

    def _is_open(self, call: Call, frame: Context) -> bool:
        """Whether a call runs one function that is gone into, so that what it does before it waits is seen."""
        targets = self.program.ask(CallGraph).targets(call, frame)
        if len(targets) != 1 or not isinstance(targets[0], FunctionValue):
            return False
        function = targets[0].function
        joins = id(function) in self.program.ask(Jobs).joins
        return not (joins or function.generator or function.decorators or frame.runs(function))

    def _use(self, operation: Operation, call: Call, frame: Context) -> str | Reading:
        if operation.path is None or call is self.write:
            return "on"
        place = self.places.parts(operation.path, frame)
        if self.operation.kind == "make":
            if place == self.place:
                return "stop" if operation.kind in ("make", "remove") else "on"
            fits = len(place) > len(self.place) and place[: len(self.place)] == self.place
            if operation.kind == "make":
                return "stop" if fits else "on"
            if operation.kind != "write":
                return "on"  # what is to be read there was put in by somebody who had the folder already
        else:
            fits = operation.kind == "read" and place == self.place
            if place == self.place and operation.kind in ("write", "remove"):
                return "stop"
        return Reading(frame.module, call.site, operation.name.rpartition(".")[2]) if fits else "on"

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
