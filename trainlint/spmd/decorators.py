"""Decorators as the ranks meet them: those that let only some ranks in, and those that communicate themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.decorated import Decorated
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library
from trainlint.ir.nodes import Call, Global, Term
from trainlint.ir.sketch import Function, Store, With
from trainlint.ir.walk import walk
from trainlint.spmd.build import Builder, TooLarge
from trainlint.spmd.paths import talks
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import WORLD
from trainlint.spmd.trace import Nodes

if TYPE_CHECKING:
    from trainlint.spmd.uniform_check import Agreement


class Arms(NamedTuple):
    """The example ranks that a decorator lets in; not ``certain`` when all that is known is that it is some of them."""

    ranks: tuple[bool, ...]
    certain: bool = True


class Decorators:
    """What the decorators of a function do to it."""

    def __init__(self, analysis: Agreement) -> None:
        self.analysis = analysis
        self.program = analysis.program
        self.applied = self.program.ask(Decorated)
        self._known: dict[tuple[int, int], Arms | None] = {}
        self._signalling: dict[int, bool] = {}

    def meeting(self, module: str, function: Function, index: int) -> tuple[FunctionValue, Frame] | None:
        """The wrapper of a decorator that communicates itself, and its activation; None for every other decorator."""
        wrapper = self.applied.wrapper(module, function, index)
        if wrapper is None or not self.analysis.communication.runs(wrapper.function):
            return None
        return wrapper, self.applied.frame(module, function, index)

    def signals(self, wrapper: Function, frame: Frame) -> bool:
        """Whether others are told that one rank runs alone: a barrier may turn itself off by it.

        That is a wrapper that sets a global, itself or by what it enters. What it wraps is not judged with it.
        """
        key = id(wrapper)
        if key not in self._signalling:
            self._signalling[key] = self._signals(wrapper, frame)
        return self._signalling[key]

    def arms(self, module: str, function: Function, index: int) -> Arms | None:
        """Which example ranks run the body of a function under a decorator; None when all do, or nothing is known."""
        key = (id(function), index)
        if key not in self._known:
            self._known[key] = None
            wrapper = self.applied.wrapper(module, function, index)
            own = self._of_wrapper(wrapper, module, function, index) if wrapper is not None else None
            self._known[key] = own or (self._of_library(module, function.decorators[index]) if wrapper is None else None)
        return self._known[key]

    def _of_library(self, module: str, decorator: Term) -> Arms | None:
        """What the tables say of a decorator (of a library, or known by its name only)."""
        knowledge = self.program.knowledge
        top = self.program.frame(module, self.program.modules[module].functions["<module>"])
        word = knowledge.decorators.get(last_name(decorator) or "")
        callee = decorator.callee if isinstance(decorator, Call) else decorator
        for value in self.program.values(callee, top):
            if isinstance(value, FunctionValue):
                return None
            if isinstance(value, Library):
                word = knowledge.decorators.get(value.name, word)
        if word == "per-rank":
            return Arms(tuple(rank == 0 for rank in range(WORLD)), certain=False)
        if word is None:
            return None
        evaluators = [Evaluator(self.program, rank, self.analysis.consult) for rank in range(WORLD)]
        found = [evaluator.word(word, decorator) for evaluator in evaluators]
        return Arms(tuple(found)) if all(isinstance(arm, bool) for arm in found) and len(set(found)) > 1 else None

    def _of_wrapper(self, wrapper: FunctionValue, module: str, function: Function, index: int) -> Arms | None:
        """The ranks on which a wrapper of the project calls what it wraps."""
        frame = self.applied.frame(module, function, index)
        if self.signals(wrapper.function, frame):
            return None
        found = tuple(self._calls_it(wrapper.function, frame, function, rank) for rank in range(WORLD))
        return Arms(found) if len(set(found)) > 1 else None

    def _signals(self, wrapper: Function, frame: Frame) -> bool:
        for node in walk(wrapper.body):
            if isinstance(node, Store) and isinstance(node.target, Global):
                return True
            for item in node.items if isinstance(node, With) else ():
                for value in self.program.values(item, frame):
                    cls = ClassValue(value.module, value.cls) if isinstance(value, Instance) else None
                    entered = self.program.method(cls, "__enter__") if cls is not None else None
                    if entered is not None and any(
                        isinstance(n, Store) and isinstance(n.target, Global) for n in walk(entered[1].body)
                    ):
                        return True
        return False

    def _calls_it(self, wrapper: Function, frame: Frame, function: Function, rank: int) -> bool:
        builder = Builder(self.analysis, rank, Nodes())
        builder.wanted = function
        try:
            return talks(builder.trace(wrapper, frame))
        except (TooLarge, RecursionError):
            return True
