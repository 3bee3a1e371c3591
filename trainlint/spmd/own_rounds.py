"""Loops that go round as often as data of the rank's own says: ``range(n)`` with such an ``n``, a dict whose keys it drew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from trainlint.facts.contents import Contents
from trainlint.facts.literals import dict_viewed
from trainlint.facts.numbers import is_range
from trainlint.facts.values import Frame, Library
from trainlint.ir.nodes import Call, Const, Subscript, Term
from trainlint.ir.sketch import Loop
from trainlint.spmd.symbols import Data, Sym, data_in

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.spmd.twin_values import TwinEvaluator

#: Calls around a dict that is looped over.
_WRAPPED = 3


class Asks(Protocol):
    """Who builds the trace of a twin."""

    program: Program
    evaluator: TwinEvaluator


def own_rounds(asking: Asks, loop: Loop, frame: Frame) -> Sym | None:
    """The condition that a rank goes round once more than another, where its own data says how often."""
    if loop.kind != "for":
        return None
    for term in _numbers(asking.program, loop.subject, frame):
        data = data_in(asking.evaluator.value(term, frame)) if not isinstance(term, Const) else None
        if data is not None and not data.size and not data.raw:
            return Sym(Data((loop.subject, "rounds", frame), data.source))
    return None


def _numbers(program: Program, subject: Term, frame: Frame) -> Iterator[Term]:
    """What says how many rounds there are: the bounds of a range, the keys that were set in a dict of the function."""
    if isinstance(subject, Call) and is_range(program, subject, frame):
        yield from subject.args
        return
    known = program.ask(Contents).changes(frame.function)
    if known is None:
        return
    base = _dict_of(program, subject, frame)
    for changed, changes in known.of.items():
        if changed is base:
            yield from (change.key for change in changes if change.key is not None and change.how == "set")
        elif isinstance(changed, Subscript) and changed.base is base:
            yield changed.key  # ``found[key].append(value)``


def _dict_of(program: Program, subject: Term, frame: Frame) -> Term:
    """The container behind ``found.items()``, ``sorted(found)``."""
    for _ in range(_WRAPPED):
        if not isinstance(subject, Call):
            break
        viewed = dict_viewed(program.knowledge.views, subject)
        if viewed is not None:
            subject = viewed
        elif subject.args and any(
            isinstance(value, Library) and value.name in program.knowledge.drains
            for value in program.values(subject.callee, frame)
        ):
            subject = subject.args[0]
        else:
            break
    return subject
