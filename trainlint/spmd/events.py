"""Which calls are events: whether a collective communicates as it is called, and what communicates without naming one."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from trainlint.facts.parallel import Met
from trainlint.facts.program import Program
from trainlint.ir.nodes import Call
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import Choice, PerRank, Sym
from trainlint.spmd.trace import Event, Node, Where


class Events:
    """The part of :class:`trainlint.spmd.build.Builder` that knows what a call communicates."""

    program: Program
    evaluator: Evaluator

    @abstractmethod
    def mark(self, kind: type[Node], *parts: Any) -> Node:
        """The interned node of this kind."""

    @abstractmethod
    def pick(self, symbol: Sym, then: Node, other: Node) -> Node:
        """A branch on something unknown."""

    def unnamed(self, met: Met, call: Call, where: Where, next_: Node) -> Node:
        """A pass of a model that all ranks train, where the conditions hold under which the model is one of these."""
        node: Node = self.mark(Event, met.name, met.name, where, call, next_)
        for condition, frame, holds in reversed(met.conditions):
            value = self.evaluator.value(condition, frame)
            if isinstance(value, (PerRank, Choice)):
                return next_
            if isinstance(value, Sym):
                node = self.pick(value, node, next_) if holds else self.pick(value, next_, node)
            elif bool(value) != holds:
                return next_
        return node
