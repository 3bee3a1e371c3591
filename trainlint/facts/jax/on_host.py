"""Traced values that are handed to what computes on the host: NumPy, ``math``, ``float``, ``item``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.jax.activations import Activation, Activations
from trainlint.facts.jax.levels import ARRAY, TRACED
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.finding import Applicability
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.sketch import CallStep
from trainlint.sites.changes import Change, Rewrite

Kind = Literal["computes", "reads"]


class OnHost(NamedTuple):
    """A call that needs the numbers of a traced value: ``name`` is what is called.

    ``kind`` "computes" is a function of NumPy for which JAX has one of its own (``change`` puts it there), "reads" one that makes
    a number, or an array of the host.
    """

    activation: Activation
    kind: Kind
    node: CallStep
    name: str
    change: Change | None = None


def on_host(program: Program) -> Iterator[OnHost]:
    """Each such call, once."""
    seen: set[Term] = set()
    known = program.ask(Activations)
    asked = _Host(program)
    for activation in known.all():
        for node in known.running(activation.frame).statements:
            if isinstance(node, CallStep) and node.term not in seen:
                found = asked.of(activation, node)
                if found is not None:
                    seen.add(node.term)
                    yield found


class _Host:
    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._computes = tables["tracers.computed_on_host"]
        self._reads = frozenset(tables["tracers.read_on_host"]["names"])
        self._methods = frozenset(tables["tracers.read_by"]["names"])

    def of(self, activation: Activation, node: CallStep) -> OnHost | None:
        """What a call does with a traced value on the host, if it does."""
        call, tracers, frame = node.term, activation.tracers, activation.frame
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self._methods:
            if tracers.level(callee.base, frame) == ARRAY:
                return OnHost(activation, "reads", node, f".{callee.name}()")
            return None
        if not call.args or not any(tracers.is_traced(part, frame) for part in call.args):
            return None
        for value in self.program.values(callee, frame):
            if not isinstance(value, Library):
                continue
            if value.name in self._reads and tracers.level(call.args[0], frame) in TRACED:
                return OnHost(activation, "reads", node, value.name.removeprefix("builtins."))
            if value.name in self._computes:
                return OnHost(activation, "computes", node, value.name, self._moved(activation, call, value.name))
        return None

    def _moved(self, activation: Activation, call: Call, name: str) -> Change | None:
        """The function of JAX in its place."""
        new = reference(str(self._computes[name]), self.program.modules[activation.module])
        if new is None:
            return None
        message = f"Call {new} in its place"
        paths = ((("arguments", 0),),)
        return Rewrite(Applicability.UNSAFE, message, spot=call.site, code=f"{new}({{0}})", paths=paths)


__all__ = ["Kind", "OnHost", "on_host"]
