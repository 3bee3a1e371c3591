"""Calls with a model in evaluation mode: what they come to only ``if self.training`` does not run.

``model.eval()``, then ``score(model)`` on one rank: a barrier in the model's forward pass that is there for training only is none
of this call. The mode is taken to be that of every model in the call.
"""

from __future__ import annotations

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program, calls_of
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr
from trainlint.ir.order import before
from trainlint.ir.sketch import Function
from trainlint.spmd.symbols import Sym
from trainlint.spmd.trace import Invoke


class Evaluating:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._switches: dict[int, tuple[tuple[Spot, bool], ...]] = {}

    def at(self, call: Invoke) -> bool:
        """Whether the function in which a call stands has put a model into evaluation mode before it, and not back."""
        caller = call.frame.caller
        if caller is None or caller.module != call.where.module:
            return False
        function = caller.function
        earlier = [evaluates for spot, evaluates in self._of(function) if before(function, spot, call.where.spot)]
        return bool(earlier) and earlier[-1]

    def is_in(self, function: Function) -> bool:
        """Whether a function does so itself, before anything."""
        switches = self._of(function)
        return bool(switches) and switches[0][1]

    def asks(self, symbol: Sym) -> bool:
        """Whether a condition is that a model is in training mode."""
        phases = self.program.knowledge.phases
        parts = symbol.key if type(symbol.key) is tuple else ()
        return any(part in phases if isinstance(part, str) else _names(part, phases) for part in parts)

    def _of(self, function: Function) -> tuple[tuple[Spot, bool], ...]:
        """The calls of a function that put a model into a mode, in order, each with whether that is evaluation."""
        known = self._switches.get(id(function))
        if known is None:
            knowledge = self.program.knowledge
            names = {**dict.fromkeys(knowledge.ends_evaluation, False), **dict.fromkeys(knowledge.evaluates, True)}
            found = ((node.term.site, names.get(last_name(node.term.callee) or "")) for node in calls_of(function))
            known = self._switches[id(function)] = tuple((spot, mode) for spot, mode in found if mode is not None)
        return known


def _names(part: object, phases: frozenset[str]) -> bool:
    return isinstance(part, Attr) and part.name in phases
