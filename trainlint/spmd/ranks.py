"""What a condition is worth on one rank (see :mod:`~trainlint.spmd.symbols` for the values it may have)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.model.terms import Term
from trainlint.model.told import PER_RANK
from trainlint.spmd.counting import left_behind
from trainlint.spmd.operators import Operators
from trainlint.spmd.origins import Origins
from trainlint.spmd.runs import FUEL, Runs
from trainlint.spmd.stored import Stored, place
from trainlint.spmd.symbols import LOCAL, UNKNOWN, WORLD, PerRank, Sym, Told, World

_DEEPEST = 14


class Evaluator(Operators, Origins, Runs, Stored):
    """Evaluates terms for one rank.

    ``asked`` is set when an answer depended on which rank it is; ``consulted`` is called when a parameter was asked for;
    ``loops`` says which number a loop over the ranks is at.
    """

    def __init__(self, program: Program, rank: int, consulted: Callable[[], None]) -> None:
        self.program = program
        self.rank = rank
        self.consulted = consulted
        self.asked = False
        self.loops: dict[Term, Any] = {}
        self.depth = 0
        self.fuel = FUEL
        self.leaving: dict[int, bool] = {}
        self.item: Term | None = None
        self._memo: dict[tuple[Term, Frame], tuple[Any, bool]] = {}
        self.place = place(program)
        self.placed = False
        self._holding = set()
        self.following: set[tuple[Term, Frame]] = set()
        self.tracing = False
        self._steps = 0
        #: The same for answers that hang on where they were asked.
        self._placed: dict[tuple[Term, Frame], dict[object, tuple[Any, bool]]] = {}

    def evaluate(self, term: Term, frame: Frame) -> tuple[Any, bool]:
        """The value of a term on this rank, and whether it depended on the rank."""
        saved, self.asked = self.asked, False
        try:
            return self.value(term, frame), self.asked
        finally:
            self.asked = saved or self.asked

    def value(self, term: Term, frame: Frame) -> Any:
        """The value of a term on this rank."""
        key = (term, frame)
        known = self._memo.get(key)
        if known is not None and not self.loops:
            self.asked = self.asked or known[1]
            return known[0]
        if self.depth > _DEEPEST:
            return Sym(key)
        here = (self.place.frame, self.place.line)
        if key in self._placed and not self.loops and not self._holding:
            known = self._placed[key].get(here)
            if known is not None:
                self.asked, self.placed = self.asked or known[1], True
                return known[0]
        self.depth += 1
        saved, self.asked = self.asked, False
        placed, self.placed = self.placed, False
        try:
            handler = getattr(self, "_" + term[0], None)
            result = handler(term, frame) if handler is not None else Sym(key)
        finally:
            self.depth -= 1
            asked, self.asked = self.asked, saved or self.asked
            hangs, self.placed = self.placed, placed or self.placed
        if self.loops or self._holding:
            return result
        if hangs:
            self._placed.setdefault(key, {})[here] = (result, asked)
        else:
            self._memo[key] = (result, asked)
        return result

    def _said(self, term: Term, frame: Frame) -> Any:
        """A value of which a comment says that it is the same on all ranks, or that it is not."""
        if term[1] == PER_RANK:
            self.asked = True
            return PerRank((term, frame))
        value = self.value(term[2], frame)
        differs, self.asked = self.asked, False
        if differs or (isinstance(value, UNKNOWN) and type(value) is not Sym):
            return Told((term, frame))
        return Told(value.key) if type(value) is Sym else value

    def left_by_loop(self, term: Term, frame: Frame) -> Any:
        """What a name holds behind a ``while`` loop that can be counted; None where it cannot."""
        return None if self.loops else left_behind(self, term, frame)

    def word(self, word: str, key: Any) -> Any:
        """What a knowledge word says of a value on this rank."""
        if word == "world":
            return World(WORLD)
        if word == "yes":
            return True
        if word == "uniform":
            return Sym(key)
        self.asked = True
        if word == "rank":
            return self.rank
        if word == "local_rank":
            return self.rank % LOCAL
        if word == "node_rank":
            return self.rank // LOCAL
        if word == "main":
            return self.rank == 0
        if word == "local_main":
            return self.rank % LOCAL == 0
        if word == "last":
            return self.rank == WORLD - 1
        return PerRank(key)

    def differs(self, term: Term, frame: Frame) -> bool:
        """Whether a term has different values on the example ranks (or one that cannot be computed for each)."""
        values = [peer.value(term, frame) for peer in self.peers()]
        first = values[0]
        return any(isinstance(v, PerRank) or v != first or type(v) is not type(first) for v in values)

    def peers(self) -> list[Evaluator]:
        """One evaluator for each example rank, shared by the whole program."""
        name = "tracing peers" if self.tracing else "peers"
        known: list[Evaluator] | None = self.program.analyses.get(name)  # type: ignore[assignment]
        if known is None:
            known = [Evaluator(self.program, rank, lambda: None) for rank in range(WORLD)]
            for peer in known:
                peer.tracing = self.tracing
            self.program.analyses[name] = known
        return known
