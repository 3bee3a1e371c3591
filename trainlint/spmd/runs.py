"""Running small functions of the project for what they return on one rank."""

from __future__ import annotations

from functools import partial
from typing import Any

from trainlint.facts.values import Frame
from trainlint.ir.nodes import Const, Term, Tuple
from trainlint.ir.sketch import SILENT, Block, CallStep, Exit, Function, If, Loop, Store, Try, With
from trainlint.spmd.questions import Questions
from trainlint.spmd.symbols import NOTHING, PerRank, Sym, chosen
from trainlint.spmd.uniform_by_collective import settled

#: Statements that may be run to learn what a function returns.
FUEL = 400


class _OutOfFuel(Exception):
    """A function is too large to be run for its result."""


class Runs(Questions):
    """Runs a function's sketch, branch by branch."""

    def run(self, function: Function, frame: Frame, item: Const | None = None) -> Any:
        """What a function returns on this rank; unknown for functions that are no mere questions.

        ``item`` is the key of the part that is wanted, when it returns a tuple.
        """
        saved = self.fuel
        wanted, self.item = self.item, item
        self.fuel = min(self.fuel, FUEL)
        try:
            result = self._block(function.body, 0, (), frame)
        except _OutOfFuel:
            if saved < FUEL:
                raise  # the question that asked this one is as large
            result = NOTHING
        finally:
            self.fuel = saved
            self.item = wanted
        return Sym((id(function), "result")) if result is NOTHING else result

    def _block(self, block: Block, index: int, rest: tuple[tuple[Block, int], ...], frame: Frame) -> Any:
        while True:
            while index < len(block) and type(block[index]) in SILENT:
                index += 1
            self.fuel -= 1
            if self.fuel < 0:
                raise _OutOfFuel
            if index == len(block):
                if not rest:
                    return None
                (block, index), rest = rest[0], rest[1:]
                continue
            node = block[index]
            index += 1
            if isinstance(node, (CallStep, Store)):
                continue
            after = ((block, index), *rest)
            if isinstance(node, Exit):
                return self._returned(node.value, frame) if node.kind == "return" else NOTHING
            if isinstance(node, If):
                body, orelse = node.body, node.orelse
                if not (self._leaves(body) or self._leaves(orelse)):
                    continue
                return self._choose(
                    self.value(node.condition, frame),
                    partial(self._block, body, 0, after, frame),
                    partial(self._block, orelse, 0, after, frame),
                )
            if isinstance(node, Try):
                fails = self.handled(node, frame)
                after = ((node.orelse, 0), *after)
                if fails is not None:
                    condition, handler = fails
                    return self._choose(
                        condition,
                        partial(self._block, node.handlers[handler], 0, after[1:], frame),
                        partial(self._block, node.body, 0, after, frame),
                    )
            if isinstance(node, (With, Try)):
                block, index, rest = node.body, 0, after
                continue
            if isinstance(node, Loop) and self._leaves(node.body):
                return Sym((id(node), frame))

    def handled(self, attempt: Try, frame: Frame) -> tuple[Sym, int] | None:  # noqa: ARG002
        """The condition that a handler of a ``try`` runs on one rank alone, and which handler; None where none does."""
        return None

    def _returned(self, term: Term | None, frame: Frame) -> Any:
        """The value that is returned, or the wanted item of it."""
        item = self.item
        if term is None:
            return None
        if item is None:
            before = self.asked
            value, asked = self.evaluate(term, frame)
            if asked and settled(self, term, frame):
                self.asked = before
                return Sym((term, frame))  # whatever it was computed from, ranks met over it
            return value
        if isinstance(term, Tuple) and -len(term.items) <= item.value < len(term.items):
            return self.value(term.items[item.value], frame)
        return Sym((term, frame, item))

    def _leaves(self, block: Block) -> bool:
        """Whether the block can leave the function (remembered: the same blocks are asked about again and again)."""
        known = self.leaving.get(id(block))
        if known is None:
            known = self.leaving[id(block)] = _returns(block)
        return known

    def _choose(self, condition: Any, then: Any, other: Any) -> Any:
        self.asked = self.asked or isinstance(condition, PerRank)
        return chosen(condition, then, other)


def _returns(block: Block) -> bool:
    """Whether the block can leave the function."""
    for node in block:
        if isinstance(node, Exit):
            return True
        if isinstance(node, (If, Loop)) and (_returns(node.body) or _returns(node.orelse)):
            return True
        if isinstance(node, (With, Try)) and _returns(node.body):
            return True
    return False
