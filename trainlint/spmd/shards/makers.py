"""Things that are made item by item: comprehensions, lists that a loop fills, generators."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from trainlint.facts.numbers import is_range
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import And, Attr, Call, Const, Element, List, LoopPhi, Slice, Subscript, Term
from trainlint.ir.sketch import Block, CallStep, Drawn, Exit, If, Loop, Statement, Try, With, Yield
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import walk
from trainlint.spmd.shards.questions import ENDLESS, Amount, Questions
from trainlint.spmd.symbols import WORLD

#: How many items a statement makes when it runs; None when it makes nothing.
_Made = Callable[[Statement], "Amount | str | None"]


class _Count(NamedTuple):
    """Items made in one round: always, and in those rounds only that a test on the rank picks out."""

    always: float = 0
    picked: float = 0


class Makers(Questions):
    """The parts of a measurement that count."""

    def drawn(self, term: Term, frame: Frame) -> Amount:
        """How many items a comprehension makes; None when it is none, or cannot be counted."""
        known, where = self._comprehension(term, frame)
        if known is None:
            return None
        length = self.length(known.subject, where)
        if length is None or length == ENDLESS:
            return length
        for condition in known.tests:
            if self._picks(condition, where):
                self.ranked = True
                self.origins.setdefault((term, where))
                return len(range(self.peer.rank, int(length), WORLD))
        return length

    def drawn_item(self, term: Term, frame: Frame, number: Amount) -> Amount:
        """How many items are in one of the lists that a comprehension over numbers makes (``[x[i::n] for i in range(n)]``)."""
        known, where = self._comprehension(term, frame)
        if known is None or known.tests or number is None or not self._counts_up(known.subject, where):
            return None
        if isinstance(known.item, List):
            return None  # made empty, to be filled
        if isinstance(known.item, Subscript) and isinstance(known.item.key, Slice):
            self._take(known.item.key.step, where)
        self.peer.loops[known.target] = int(number)
        try:
            return self.length(known.item, where)
        finally:
            del self.peer.loops[known.target]

    def _counts_up(self, subject: Term, frame: Frame) -> bool:
        """Whether an iterable is ``range(n)``."""
        return isinstance(subject, Call) and is_range(self.program, subject, frame) and len(subject.args) == 1

    def _take(self, step: Term, frame: Frame) -> None:
        """The stride of the list of a rank is the number of ranks, whatever it is called."""
        if not isinstance(self.peer.value(step, frame), int):
            self.example.fixed.setdefault(self.key(step, frame), WORLD)

    def _comprehension(self, term: Term, frame: Frame) -> tuple[Drawn | None, Frame]:
        """The comprehension whose value a term stands for, and the activation it is in."""
        where: Frame | None = frame
        while where is not None and term not in where.function.drawn:
            where = where.closure
        if where is None:
            top = self.program.modules[frame.module].functions["<module>"]
            where = self.program.frame(frame.module, top)
        return where.function.drawn.get(term), where

    def _picks(self, condition: Term, frame: Frame) -> bool:
        """Whether a test picks out some rounds for each rank (``i % world == rank``)."""
        if isinstance(condition, And):
            return any(self._picks(part, frame) for part in condition.operands)
        return _has(condition, Element) and self.differs(condition, frame)

    def filled(self, term: Term, frame: Frame) -> Amount:
        """How many items a function puts into a list that it makes empty; some length when it puts none."""

        def made(node: Statement) -> Amount | str | None:
            if not isinstance(node, CallStep) or not isinstance(node.term.callee, Attr) or node.term.callee.base is not term:
                return None
            name = node.term.callee.name
            how = self.program.knowledge.gathers.get(name)
            if how == "all":
                return self.length(node.term.args[0], frame) if node.term.args else "?"
            return 1 if how is not None else "?" if name in self.program.knowledge.empties else None

        if not any(made(node) is not None for node in walk(frame.function.body) if isinstance(node, CallStep)):
            return self.example.size((term, frame))
        count = self._count(frame.function.body, frame, made)
        return None if count is None else count.always + count.picked

    def dealt(self, term: Subscript, frame: Frame) -> Amount:
        """How many items were dealt to one of several lists (``parts[i % world].append(x)``); None when none were."""
        base = term.base

        def made(node: Statement) -> Amount | str | None:
            callee = node.term.callee if isinstance(node, CallStep) else None
            if not isinstance(callee, Attr) or not isinstance(callee.base, Subscript) or callee.base.base is not base:
                return None
            return 1 if callee.name in self.program.knowledge.gathers and _has(callee.base.key, Element) else "?"

        count = self._count(frame.function.body, frame, made)
        total = None if count is None else count.always + count.picked
        if not total or total == ENDLESS:
            return None
        self.ranked = True
        self.origins.setdefault((term, frame))
        return len(range(self.peer.rank, int(total), WORLD))

    def generated(self, call: Call, frame: Frame) -> Amount:
        """How many items a generator of the project yields."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, FunctionValue) and value.function.generator and not frame.runs(value.function):
                return self.yielded(value, self.program.enter(value, call, frame))
        return None

    def yielded(self, value: FunctionValue, frame: Frame) -> Amount:
        """How many items the body of a generator yields in one activation."""
        self.frames.add(frame)

        def made(node: Statement) -> Amount | str | None:
            if not isinstance(node, Yield):
                return None
            if not node.whole:
                return 1
            length = self.length(node.value, frame) if node.value is not None else None
            return length if length is not None else "?"

        count = self._count(value.function.body, frame, made)
        return None if count is None else count.always + count.picked

    def _count(self, block: Block, frame: Frame, made: _Made) -> _Count | None:
        """What a block makes when it runs once; None when that cannot be said."""
        always: float = 0
        picked: float = 0
        choosing = False
        for node in block:
            count = self._one(node, frame, made)
            if count is None:
                return None
            always += 0 if choosing else count.always
            picked += count.picked + (count.always if choosing else 0)
            if isinstance(node, If) and _skips(node) and self._picks(node.condition, frame):
                choosing = True
        return _Count(always, picked)

    def _one(self, node: Statement, frame: Frame, made: _Made) -> _Count | None:
        if isinstance(node, Loop):
            return self._looped(node, frame, made)
        if isinstance(node, If):
            return self._branched(node, frame, made)
        if isinstance(node, With):
            return self._count(node.body, frame, made)
        if isinstance(node, Try):
            return self._count((*node.body, *node.orelse, *node.final), frame, made)
        found = made(node)
        if isinstance(found, str):
            return None
        return _Count(found) if found is not None else _Count()

    def _branched(self, node: If, frame: Frame, made: _Made) -> _Count | None:
        then, other = self._count(node.body, frame, made), self._count(node.orelse, frame, made)
        if then is None or other is None:
            return None
        if not any((*then, *other)):
            return then
        if self._picks(node.condition, frame):
            self.ranked = True
            chosen = then if any(then) else other
            return _Count(0, chosen.always + chosen.picked) if not (any(then) and any(other)) else None
        if self.differs(node.condition, frame):
            truth = self.truth(node.condition, frame)
            return None if truth is None else then if truth else other
        if _has(node.condition, Element) or _has(node.condition, LoopPhi):
            return then if any(then) else other  # some of the items: each rank has its own
        truth = self.truth(node.condition, frame)
        return None if truth is None else then if truth else other

    def _looped(self, node: Loop, frame: Frame, made: _Made) -> _Count | None:
        inner = self._count(node.body, frame, made)
        if inner is None or not any(inner):
            return inner
        if _leaves(node.body):
            return None
        if node.kind != "for":
            if isinstance(node.subject, Const) and node.subject.value:
                return _Count(ENDLESS)
            return inner if _has(node.subject, LoopPhi) else None  # as much as there is: of a rank's items as of all others
        length = self.length(node.subject, frame)
        if length is None:
            return None
        if length == ENDLESS:
            return _Count(ENDLESS)
        total = inner.always * length
        if inner.picked:
            self.ranked = True
            self.origins.setdefault((node.subject, frame))
            total += inner.picked * len(range(self.peer.rank, int(length), WORLD))
        return _Count(total)


def _skips(node: If) -> bool:
    """Whether a branch goes on with the next round."""
    return bool(node.body) and isinstance(node.body[-1], Exit) and node.body[-1].kind == "continue" and not node.orelse


def _leaves(block: Block) -> bool:
    """Whether a loop with this body may be left early. Leaving an inner loop counts as well: what is left over is unknown."""
    return any(isinstance(node, Exit) and node.kind in ("break", "return") for node in walk(block))


def _has(term: Term, kind: type[Term]) -> bool:
    return any(isinstance(part, kind) for part in parts_of(term))
