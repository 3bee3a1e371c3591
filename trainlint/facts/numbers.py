"""Loops that count."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, Library
from trainlint.ir.nodes import Call, Display, Param, Select, Term

#: Calls through which a loop's subject is followed.
_DEEPEST = 4


def is_range(program: Program, subject: Term, frame: Frame) -> bool:
    """Whether what a loop goes over is ``range(...)``, or what gives the same numbers (table ``sizes``)."""
    if not isinstance(subject, Call):
        return False
    sizes = program.knowledge.sizes
    return any(isinstance(value, Library) and sizes.get(value.name) == "range" for value in program.values(subject.callee, frame))


def counts(program: Program, subject: Term, frame: Frame, depth: int = 0) -> bool:
    """Whether a loop counts, or goes over things that are written out: it draws nothing. One way to do so is enough."""
    if isinstance(subject, Display):
        return True
    if depth > _DEEPEST:
        return False
    if isinstance(subject, Select):
        return any(counts(program, part, frame, depth + 1) for part in subject.arms)
    if isinstance(subject, Param):
        bound = frame.given(subject)
        return isinstance(bound, Bound) and counts(program, bound.term, bound.frame, depth + 1)
    if is_range(program, subject, frame):
        return True
    if not isinstance(subject, Call):
        return False
    for value in program.values(subject.callee, frame):
        shape = program.knowledge.iterates.get(value.name) if isinstance(value, Library) else None
        if shape == "range":
            return True
        if shape is not None and subject.args:
            return counts(program, subject.args[0], frame, depth + 1)
    return False
