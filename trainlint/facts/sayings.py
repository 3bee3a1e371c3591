"""Which expressions of a program say the same, wherever they stand."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.model.terms import Sayings


def sayings(_program: Program) -> Sayings:
    """What the expressions of a program say (asked for once, remembered for all)."""
    return Sayings()
