"""Loops that count."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library
from trainlint.model.terms import Term


def is_range(program: Program, subject: Term, frame: Frame) -> bool:
    """Whether what a loop goes over is ``range(...)``, or what gives the same numbers (table ``sizes``)."""
    if subject[0] != "call":
        return False
    sizes = program.knowledge.sizes
    return any(isinstance(value, Library) and sizes.get(value.name) == "range" for value in program.values(subject[1], frame))
