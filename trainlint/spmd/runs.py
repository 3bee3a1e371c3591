"""Running small functions of the project for what they return on one rank."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from trainlint.ir.nodes import Call, Const, Term, Tuple
from trainlint.ir.sketch import SILENT, Block, CallStep, Exit, Function, If, Loop, Store, Try, With
from trainlint.ir.walk import placed
from trainlint.program.heap import item_of
from trainlint.program.values import Context, FunctionValue, Instance
from trainlint.spmd.symbols import NOTHING, Uniform, Varying, chosen

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: Statements that may be run to learn what a function returns.
_FUEL = 400


class _OutOfFuel(Exception):
    """A function is too large to be run for its result."""


class Runs:
    """Runs a function's sketch, branch by branch."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self._fuel = _FUEL
        self._leaving: dict[int, bool] = {}
        self._item: Const | None = None

    def run(self, function: Function, frame: Context, item: Const | None = None) -> Any:
        """What a function returns on this rank; unknown for functions that are no mere questions.

        ``item`` is the key of the part that is wanted, when it returns a tuple.
        """
        saved = self._fuel
        wanted, self._item = self._item, item
        self._fuel = min(self._fuel, _FUEL)
        try:
            result = self._block(function.body, 0, (), frame)
        except _OutOfFuel:
            if saved < _FUEL:
                raise  # the question that asked this one is as large
            result = NOTHING
        finally:
            self._fuel = saved
            self._item = wanted
        return Uniform((id(function), "result")) if result is NOTHING else result

    def activation(self, value: FunctionValue, call: Call, frame: Context) -> Context:
        """The frame of a call: one for all calls that pass nothing, since the same question has the same answer."""
        function = value.function
        own = 1 if isinstance(value.receiver, Instance) else 0
        if call.args or call.kwargs or len(function.parameters) != own or function.kind not in ("function", "method"):
            return self.program.enter(value, call, frame)
        if isinstance(value.receiver, Instance):
            return self.program.instance_frame(value.receiver, value.module, function)
        return self.program.frame(value.module, function) if function.outer is None else self.program.enter(value, call, frame)

    def _block(self, block: Block, index: int, rest: tuple[tuple[Block, int], ...], frame: Context) -> Any:
        while True:
            while index < len(block) and type(block[index]) in SILENT:
                index += 1
            self._fuel -= 1
            if self._fuel < 0:
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
                    self.evaluator.value(node.condition, frame),
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
                return Uniform((id(node), frame))

    def handled(self, attempt: Try, frame: Context) -> tuple[Uniform, int] | None:  # noqa: ARG002
        """The condition that a handler of a ``try`` runs on one rank alone, and which handler; None where none does."""
        return None

    def _returned(self, term: Term | None, frame: Context) -> Any:
        """The value that is returned, or the wanted item of it."""
        item = self._item
        if term is None:
            return None
        if item is None:
            before = self.evaluator.rank_dependent
            value, asked = self.evaluator.evaluate(term, frame)
            if asked and self.evaluator.is_uniform_by_collective(term, frame):
                self.evaluator.rank_dependent = before
                return Uniform((term, frame))  # whatever it was computed from, ranks met over it
            return value
        written = item_of(term, item) if isinstance(term, Tuple) else None
        return Uniform((term, frame, item)) if written is None else self.evaluator.value(written, frame)

    def _leaves(self, block: Block) -> bool:
        """Whether the block can leave the function (remembered: the same blocks are asked about again and again)."""
        known = self._leaving.get(id(block))
        if known is None:
            known = self._leaving[id(block)] = _returns(block)
        return known

    def _choose(self, condition: Any, then: Any, other: Any) -> Any:
        self.evaluator.rank_dependent = self.evaluator.rank_dependent or isinstance(condition, Varying)
        return chosen(condition, then, other)


def _returns(block: Block) -> bool:
    """Whether the block can leave the function, if no ``try`` in it fails."""
    return any(isinstance(node, Exit) and not any(arm.is_handler for arm in around) for node, around in placed(block))
