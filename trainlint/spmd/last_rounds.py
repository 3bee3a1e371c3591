"""Which tests in a loop hold in its last round alone, ``if epoch == epochs - 1``: behind one of them there is no next round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.values import Bound, Frame
from trainlint.model.sketch import If, Loop
from trainlint.model.terms import Term
from trainlint.model.walk import walk
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
    return test[1] if test[0] == "and" else (test,)


def _last_of(test: Term, frame: Frame | None) -> Term | None:
    """What a loop goes over in whose last round alone a comparison holds; parameters are what an activation is handed."""
    if test[0] != "cmp" or test[1] not in _REACHES:
        return None
    number, plus = _shifted(test[2], frame)
    bound, more = _shifted(test[3], frame)
    counted = _counted(number[1]) if number[0] == "elem" else None
    return number[1] if counted is not None and counted == (bound, more - plus) else None


def _counted(subject: Term) -> tuple[Term, int] | None:
    """What a ``range`` ends with, as a term and what its last number is besides: ``range(1, n + 1)`` ends with ``n`` and 0."""
    if subject[0] != "call" or subject[1][:2] != ("r", _RANGE) or len(subject[2]) not in (1, 2) or subject[3]:
        return None
    stop, more = _shifted(subject[2][-1], None)
    return stop, more - 1


def _shifted(term: Term, frame: Frame | None) -> tuple[Term, int]:
    """A term without a whole number that is added to it, or taken from it, and that number."""
    if term[0] == "bin" and term[1] in ("Add", "Sub") and term[3][0] == "c" and type(term[3][2]) is int:
        inner, more = _shifted(term[2], frame)
        return inner, more + (term[3][2] if term[1] == "Add" else -term[3][2])
    handed = frame.given(term) if frame is not None and term[0] == "p" else None
    return _shifted(handed.term, None) if isinstance(handed, Bound) else (term, 0)
