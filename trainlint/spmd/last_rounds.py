"""Which tests in a loop hold in its last round alone, ``if epoch == epochs - 1``: behind one of them there is no next round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.values import Bound, Frame
from trainlint.ir.nodes import And, BinOp, Call, Compare, Const, Element, Param, Ref, Term
from trainlint.ir.sketch import If, Loop
from trainlint.ir.walk import walk
from trainlint.spmd.trace import Guard, Node

if TYPE_CHECKING:
    from trainlint.spmd.build import Builder

#: How what a loop counts is compared with the end of its count: ``epoch == epochs - 1``, ``epoch >= epochs - 1``.
_REACHES = ("Eq", "GtE")
_RANGE = "builtins.range"


def unless_last(builder: Builder, loop: Loop, frame: Frame, again: Node, exhausted: Node) -> Node:
    """The end of a round: the next one, but behind a test that holds in the last round alone what follows the loop."""
    for test in last_rounds(loop):
        builder.at(frame, loop.spot.line)
        value, asked = builder.asked(test, frame)
        if not asked:
            guard = Guard(frame.module, loop.spot, loop.spot, test, frame)
            again = builder.settled(value, asked, exhausted, again, guard)
    return again


def last_rounds(loop: Loop) -> Iterator[Term]:
    """The parts of tests in a loop that compare what it counts with the end of its count."""
    if loop.kind == "for" and _counted(loop.subject) is not None:
        for node in walk(loop.body):
            for part in _parts(node.condition) if isinstance(node, If) else ():
                if _last_of(part, None) == loop.subject:
                    yield part


def is_last(test: Term, frame: Frame) -> bool:
    """Whether a test of a function holds in the last round alone of a loop that calls it, for these arguments."""
    return any(_last_of(part, frame) is not None for part in _parts(test))


def _parts(test: Term) -> tuple[Term, ...]:
    return test.operands if isinstance(test, And) else (test,)


def _last_of(test: Term, frame: Frame | None) -> Term | None:
    """What a loop goes over in whose last round alone a comparison holds; parameters are what an activation is handed."""
    if not isinstance(test, Compare) or test.op not in _REACHES:
        return None
    number, plus = _shifted(test.left, frame)
    bound, more = _shifted(test.right, frame)
    if not isinstance(number, Element):
        return None
    counted = _counted(number.of)
    return number.of if counted is not None and counted == (bound, more - plus) else None


def _counted(subject: Term) -> tuple[Term, int] | None:
    """What a ``range`` ends with, as a term and what its last number is besides: ``range(1, n + 1)`` ends with ``n`` and 0."""
    if (
        not isinstance(subject, Call)
        or not isinstance(subject.callee, Ref)
        or subject.callee.name != _RANGE
        or len(subject.args) not in (1, 2)
        or subject.kwargs
    ):
        return None
    stop, more = _shifted(subject.args[-1], None)
    return stop, more - 1


def _shifted(term: Term, frame: Frame | None) -> tuple[Term, int]:
    """A term without a whole number that is added to it, or taken from it, and that number."""
    if isinstance(term, BinOp) and term.op in ("Add", "Sub") and isinstance(term.right, Const) and type(term.right.value) is int:
        inner, more = _shifted(term.left, frame)
        return inner, more + (term.right.value if term.op == "Add" else -term.right.value)
    handed = frame.given(term) if frame is not None and isinstance(term, Param) else None
    return _shifted(handed.term, None) if isinstance(handed, Bound) else (term, 0)
