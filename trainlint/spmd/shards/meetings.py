"""Does every round of a loop wait for the other ranks? By a collective of all of them, or a step of a parallel model."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.communication import Communication
from trainlint.facts.loops import Loops
from trainlint.facts.parallel import Parallel
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, FunctionValue, Library
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Element, LoopPhi, Param, Term, Unknown
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Loop, Statement
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import blocks_of
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import UNKNOWN

_DEEPEST, _DEEPEST_CALL = 4, 6
#: From how many calls down an unknown test counts against a meeting.
_FAR = 2
#: What a condition is not made of when it is the same in all rounds.
_ROUND = (LoopPhi, Element, Unknown)


class Meeting(NamedTuple):
    """A call in which the ranks meet, where it stands, and what it is called."""

    module: str
    spot: Spot
    name: str
    model: bool
    """Whether it is the step of a parallel model, not a collective."""


class Meetings:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.communication = program.ask(Communication)
        self.parallel = program.ask(Parallel)
        self.loops = program.ask(Loops)
        self.sample = Evaluator(program, 0, lambda _: None)
        self._traits: dict[Term, tuple[bool, tuple[Param, ...]]] = {}

    def conceivable(self, loop: Loop, module: str, function: Function) -> bool:
        """Whether the ranks may meet in a loop, whoever calls its function (cheap)."""
        if self.parallel.active and self.loops.says(module, function, loop.body, self.program.knowledge.training):
            return True
        return self.communication.runs(function) and self.of(loop, self.program.frame(module, function)) is not None

    def of(self, loop: Loop, frame: Frame) -> Meeting | None:
        """The first call in which the ranks meet in every round; None when there is none, or when a round may be the last."""
        if _ends(loop.body):
            return None
        return self._block(loop.body, frame, 0)

    def _block(self, block: Block, frame: Frame, depth: int) -> Meeting | None:
        for node in block:
            found = self._statement(node, frame, depth)
            if found is not None:
                return found
        return None

    def _statement(self, node: Statement, frame: Frame, depth: int) -> Meeting | None:
        if isinstance(node, CallStep):
            return self._call(node.term, frame, depth)
        if isinstance(node, If):
            if not self._settled(node.condition, frame, depth):
                return None
            held = self.sample.value(node.condition, frame)
            if held is None or isinstance(held, (bool, int, str)):
                return self._block(node.body if held else node.orelse, frame, depth)
            return self._block(node.body, frame, depth) or self._block(node.orelse, frame, depth)
        inner = (node.body,) if isinstance(node, Loop) else blocks_of(node)[:1]
        for block in inner:
            found = self._block(block, frame, depth)
            if found is not None:
                return found
        return None

    def _settled(self, condition: Term, frame: Frame, depth: int) -> bool:
        """Whether a test has one answer in all rounds and on all ranks, and is not about being in training.

        A loop may be run in either phase; which of the two is not known where the phase is a state of an object. Far down, in
        what the loop's callees call, a test that is unknown is about a mode of which nobody says that this loop runs in it.
        """
        value, asked = self.sample.evaluate(condition, frame)
        if asked or self._of_round(condition, frame, 0) or (depth >= _FAR and isinstance(value, UNKNOWN)):
            return False
        phases = self.program.knowledge.phases
        return not isinstance(value, UNKNOWN) or not any(
            isinstance(part, Attr) and part.name in phases for part in parts_of(condition)
        )

    def _of_round(self, condition: Term, frame: Frame, depth: int) -> bool:
        """Whether a condition depends on the round: on its number, its item, or something computed in it."""
        known = self._traits.get(condition)
        if known is None:
            parts = list(parts_of(condition))
            fixed = not any(isinstance(part, _ROUND) for part in parts)
            known = self._traits[condition] = (fixed, tuple(part for part in parts if isinstance(part, Param)))
        fixed, parameters = known
        if not fixed or depth > _DEEPEST_CALL:
            return not fixed
        for parameter in parameters:
            bound = frame.given(parameter)
            if isinstance(bound, Bound) and self._of_round(bound.term, bound.frame, depth + 1):
                return True
        return False

    def _call(self, call: Call, frame: Frame, depth: int) -> Meeting | None:
        step = self.parallel.step(call, frame)
        if step is not None:
            return Meeting(frame.module, call.site, step, model=True)
        met = (self._target(target, call, frame, depth) for target in self.index.targets(call, frame))
        if _of_item(call.callee):  # what each round calls may be something else: all of it must meet
            found = list(met)
            return found[0] if all(found) and found else None
        return next((each for each in met if each is not None), None)

    def _target(self, target: Library | FunctionValue, call: Call, frame: Frame, depth: int) -> Meeting | None:
        """Where the ranks meet in one of the things that a call may run."""
        if isinstance(target, Library):
            meets = self._of_all(target.name, call, frame)
            return Meeting(frame.module, call.site, target.name.rpartition(".")[2], model=False) if meets else None
        if depth < _DEEPEST and not frame.runs(target.function) and self._may_meet(target):
            return self._block(target.function.body, self.program.enter(target, call, frame), depth + 1)
        return None

    def _may_meet(self, target: FunctionValue) -> bool:
        if target.function.generator:
            return False
        if self.communication.runs(target.function):
            return True
        training = self.program.knowledge.training
        return self.parallel.active and self.loops.function_says(target.module, target.function, training)

    def _of_all(self, name: str, call: Call, frame: Frame) -> bool:
        """Whether a call is a collective of all ranks."""
        knowledge = self.program.knowledge
        position = knowledge.collectives.get(name)
        if position is None or name in knowledge.optional:
            return False
        silencer = knowledge.silenced_by.get(name)
        if silencer is not None and any(keyword == silencer for keyword, _ in call.kwargs):
            return False
        if position < 0:
            return True
        group = next((value for keyword, value in call.kwargs if keyword == "group"), None)
        if group is None and len(call.args) > position:
            group = call.args[position]
        return (
            group is None
            or frame.hands_on_nothing(group)
            or self.sample.value(group, frame) is None
            or self.sample.origins.is_world(group, frame)
        )


def _of_item(callee: Term) -> bool:
    """Whether an item of a loop is called, or a method of it."""
    return isinstance(callee.base if isinstance(callee, Attr) else callee, Element)


def _ends(block: Block) -> bool:
    """Whether a loop with this body can be left: the ranks may then have agreed on when."""
    for node in block:
        if isinstance(node, Exit) and node.kind in ("break", "return"):
            return True
        if isinstance(node, Loop):
            if _returns(node.body):
                return True
        elif any(_ends(inner) for inner in blocks_of(node)):
            return True
    return False


def _returns(block: Block) -> bool:
    for node in block:
        if isinstance(node, Exit) and node.kind == "return":
            return True
        inner = (node.body, node.orelse) if isinstance(node, Loop) else blocks_of(node)
        if any(_returns(part) for part in inner):
            return True
    return False
