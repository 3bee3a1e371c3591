"""Traced values where a number of Python is needed: for a shape, an axis, the rounds of a loop, a test of a flag."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.jax.activations import STATIC_FOR, Activation, Activations, origin
from trainlint.facts.jax.asked import asked, is_flag
from trainlint.facts.jax.levels import ARRAY, TRACED
from trainlint.facts.program import Program
from trainlint.facts.traced.roots import Root
from trainlint.facts.values import Frame, Library
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, BinOp, Call, Ref, SequenceDisplay, Term
from trainlint.ir.sketch import CallStep

What = Literal["shape", "axis", "rounds", "flag"]


class Counted(NamedTuple):
    """A place that needs a number of Python and is given a traced value.

    ``own`` is the parameter of the traced function (of ``root``) that it comes from unchanged: that should have been static.
    ``what`` "flag" is a test of such a parameter.
    """

    activation: Activation
    what: What
    spot: Spot
    node: str
    statement: Spot
    own: str | None
    root: Root | None


def counted(program: Program) -> Iterator[Counted]:
    """Each such place, once."""
    seen: set[tuple[str, Spot]] = set()
    known = program.ask(Activations)
    found = _Counts(program)
    for activation in known.all():
        if not activation.branches:
            continue
        for node in known.running(activation.frame).statements:
            if isinstance(node, CallStep) and (activation.module, node.term.site) not in seen:
                for each in found.of(activation, node):
                    seen.add((activation.module, node.term.site))
                    yield each
                    break
    for test in asked(program):
        root = test.activation.root
        if root is not None and is_flag(test):
            yield Counted(test.activation, "flag", test.spot, test.node, test.statement, test.own, root)


class _Counts:
    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._shapes = tables["tracers.shapes"]
        self._axes = frozenset(tables["tracers.axis"]["names"])
        self._rounds = frozenset(tables["tracers.rounds"]["names"])
        self._shaping = frozenset(tables["tracers.shaping"]["names"])
        self._computes = tuple(tables["tracers.computes"]["names"])

    def of(self, activation: Activation, node: CallStep) -> Iterator[Counted]:
        """What is wrong with the arguments of a call."""
        call, tracers, frame = node.term, activation.tracers, activation.frame
        for what, given in self._needed(call, frame):
            for part in _numbers(given):
                level = tracers.level(part, frame)
                if level not in TRACED:
                    continue
                own = origin(part, frame)
                root = activation.way_root()
                if own is not None and root is not None and root.word in STATIC_FOR:
                    yield Counted(activation, what, call.site, "Call", node.statement, own, root)
                elif level == ARRAY:
                    yield Counted(activation, what, call.site, "Call", node.statement, None, None)

    def _needed(self, call: Call, frame: Frame) -> Iterator[tuple[What, Term]]:
        """The arguments of a call that are numbers of Python."""
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self._shaping and not isinstance(callee.base, Ref):
            yield from (("shape", each) for each in call.args)
            return
        for value in self.program.values(callee, frame):
            if not isinstance(value, Library):
                continue
            if value.name in self._rounds:
                yield from (("rounds", each) for each in call.args)
            words = str(self._shapes.get(value.name, "")).split()
            for word in words:
                if word.isdigit() and len(call.args) > int(word):
                    yield "shape", call.args[int(word)]
            if value.name.startswith(self._computes):
                yield from (
                    ("axis" if name in self._axes else "shape", each)
                    for name, each in call.kwargs
                    if name in words or name in self._axes
                )


def _numbers(given: Term) -> Iterator[Term]:
    """The numbers that a shape is made of."""
    if isinstance(given, SequenceDisplay):
        for each in given.items:
            yield from _numbers(each)
    elif isinstance(given, BinOp):
        for each in given.subterms():
            yield from _numbers(each)
    else:
        yield given


__all__ = ["Counted", "What", "counted"]
