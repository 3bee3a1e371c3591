"""Activations in which all ranks surely meet: then all ranks run them, whoever calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.communication import Communication
from trainlint.facts.values import Frame, FunctionValue, Library
from trainlint.ir.nodes import Call, Const, Term
from trainlint.ir.sketch import Block, CallStep, Exit, If, Statement, Try, With
from trainlint.spmd.symbols import WORLD
from trainlint.spmd.writes.reach import Reaching
from trainlint.spmd.writes.spelled import speaks

if TYPE_CHECKING:
    from trainlint.facts.program import Program

#: How many calls deep a collective is looked for.
_DEEPEST = 4
#: What becomes of a rank in a block: it goes on, it may have left, or the program ends with an error.
_ON, _LEFT, _END = "on", "left", "end"


class Meeting:
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._talks = program.ask(Communication)
        self._index = program.ask(CallGraph)
        self._within: dict[Frame, Call | None] = {}
        self._known: dict[tuple[Term, Frame], bool] = {}
        self._waiting: dict[str, bool] = {}

    def within(self, frame: Frame, depth: int = 0) -> Call | None:
        """The first call in an activation at which every rank that runs it surely meets the others; None when there is none."""
        if frame not in self._within:
            self._within[frame] = None  # ends recursion
            found = [self._block(frame.function.body, frame, rank, depth) for rank in (0, WORLD - 1)]
            if not any(isinstance(each, str) for each in found):
                self._within[frame] = found[0]  # type: ignore[assignment]
        return self._within[frame]

    def meets(self, call: Call, frame: Frame, depth: int = 0) -> bool:
        """Whether all ranks surely meet in a call: in a collective of all of them, or in a function that runs one in any case."""
        key = (call, frame)
        if key not in self._known:
            self._known[key] = False
            self._known[key] = self._meets(call, frame, depth)
        return self._known[key]

    def _meets(self, call: Call, frame: Frame, depth: int) -> bool:
        targets = self._index.targets(call, frame)
        return bool(targets) and all(self._is_met(target, call, frame, depth) for target in targets)

    def _is_met(self, target: FunctionValue | Library, call: Call, frame: Frame, depth: int) -> bool:
        if isinstance(target, Library):
            return (
                self._talks.collective(target)
                and self._talks.communicates(target.name, call, frame)
                and not self._among_some(target.name, call)
            )
        function = target.function
        if function.generator or depth >= _DEEPEST or frame.runs(function) or not self._talks.runs(function):
            return False
        if self.waits(function.name):
            return True
        return self.within(self.program.enter(target, call, frame), depth + 1) is not None

    def waits(self, name: str) -> bool:
        """Whether a function is called what projects call theirs around a barrier."""
        if name not in self._waiting:
            self._waiting[name] = speaks(name, self.program.knowledge.job_waits)
        return self._waiting[name]

    def _among_some(self, name: str, call: Call) -> bool:
        """Whether a collective may be one of a group of ranks."""
        position = self.program.knowledge.collectives[name]
        given = [value for keyword, value in call.kwargs if keyword == "group"]
        given += call.args[position : position + 1] if position >= 0 else ()
        return any(not (isinstance(value, Const) and value.value is None) for value in given)

    def _block(self, block: Block, frame: Frame, rank: int, depth: int) -> Call | str:
        for node in block:
            outcome = self._statement(node, frame, rank, depth)
            if outcome != _ON:
                return outcome
        return _ON

    def _statement(self, node: Statement, frame: Frame, rank: int, depth: int) -> Call | str:
        if type(node) is CallStep:
            return node.term if self.meets(node.term, frame, depth) else _ON
        if type(node) is If:
            return self._branch(node, frame, rank, depth)
        if type(node) is With:
            return self._block(node.body, frame, rank, depth)
        if type(node) is Try:
            outcome = self._block(node.body, frame, rank, depth)
            return self._block(node.final, frame, rank, depth) if outcome == _ON else outcome
        if type(node) is Exit:
            return _END if node.kind in ("raise", "exit") else _LEFT
        return _ON

    def _branch(self, node: If, frame: Frame, rank: int, depth: int) -> Call | str:
        truth = self.program.ask(Reaching).truth(node.condition, frame, rank)
        if truth is True or truth is False:
            return self._block(node.body if truth else node.orelse, frame, rank, depth)
        found = [self._block(arm, frame, rank, depth) for arm in (node.body, node.orelse)]
        found = [outcome for outcome in found if outcome != _END] or found[:1]
        return next((outcome for outcome in found if outcome in (_LEFT, _ON)), found[0])
