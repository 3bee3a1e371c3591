"""What tells that all ranks run an activation of a function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.communication import Communication
from trainlint.facts.files.guards import guards
from trainlint.facts.program import calls_of
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import Call, Term
from trainlint.ir.sketch import Function
from trainlint.spmd.writes.meeting import Meeting

if TYPE_CHECKING:
    from trainlint.facts.program import Program


class Proof(NamedTuple):
    """A call in an activation that all ranks make, why they do, and whether the job is joined by it."""

    call: Call
    why: str
    joins: bool


class Evidence:
    """Answers for one program; ``joins`` are the calls by which functions join a job, with the library's name for it."""

    def __init__(self, program: Program, joins: Mapping[int, list[tuple[Call, str]]]) -> None:
        self.program = program
        self._joins = joins
        self._talks = program.ask(Communication)
        self._met: dict[Frame, tuple[Proof, ...]] = {}

    def of(self, frame: Frame, asked: Term) -> Iterator[Proof]:
        """What tells it of an activation; also a meeting under no more tests than the call that is asked about.

        Under a test that some ranks do not pass it would hang: so where it runs, all run what stands beside it.
        """
        for call, name in self._joins.get(id(frame.function), ()):
            yield Proof(call, f"every rank of the job comes here (`{_last(name)}`)", True)
        if not self._talks.runs(frame.function):
            return
        way = guards(self.program, frame.function)
        mine = way.get(asked, ())
        met = self._met.get(frame)
        if met is None:
            met = self._met[frame] = tuple(self._meetings(frame))  # each write of the function is asked about
        for proof in met:
            if all(guard.kind == "left" or (guard.kind == "test" and guard in mine) for guard in way.get(proof.call, ())):
                yield proof
        if frame.function.kind == "module":
            return  # a script calls what a library has for jobs, and is none for that
        inside = self.program.ask(Meeting).within(frame)
        if inside is not None:
            yield self._meeting(inside)

    def is_known(self, function: Function) -> bool:
        """Whether a function may be one of which that can be told by what it runs."""
        return self._talks.runs(function)

    def _meetings(self, frame: Frame) -> Iterator[Proof]:
        """The calls in a function at which all ranks meet: the first collective, and what the project made of one."""
        step = self._talks.steps[id(frame.function)]
        if not isinstance(step.target, FunctionValue):
            name = step.target.name
            known = name in self.program.knowledge.collectives
            yield Proof(step.site.call.term, _why(name) if "." in name else f"every rank runs a {name} here", not known)
        for node in calls_of(frame.function):
            targets = self.program.ask(CallGraph).targets(node.term, frame)
            if any(isinstance(target, FunctionValue) and self._talks.runs(target.function) for target in targets):
                name = last_name(node.term.callee) or ""
                if self.program.ask(Meeting).waits(name):
                    yield Proof(node.term, _why(name), True)
                elif frame.function.kind != "module" and self.program.ask(Meeting).meets(node.term, frame):
                    yield self._meeting(node.term)

    def _meeting(self, call: Call) -> Proof:
        return Proof(call, _why(last_name(call.callee) or "call"), False)


def _why(name: str) -> str:
    return f"`{_last(name)}` runs on every rank: so does this function"


def _last(name: str) -> str:
    return name.rpartition(".")[2]
