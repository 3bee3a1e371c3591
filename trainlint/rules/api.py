"""How a rule is written: one declared :class:`Rule`, a ``find`` function, and perhaps a ``repair`` function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from trainlint.finding import Level, Reason, Suspect

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.sites.changes import Change

__all__ = ["Certainty", "Find", "Fix", "Reason", "RepairOf", "Rule", "Suspect"]

Certainty = Literal["syntax", "flow", "heuristic"]
Fix = Literal["safe", "unsafe", "display", "none"]


Find = Callable[["Program"], Iterator[Suspect]]
RepairOf = Callable[[Suspect], "Change | None"]


@dataclass
class Rule:
    """The declaration of a rule. ``needs`` names the kinds of thing without which it cannot fire (see ``knowledge``)."""

    code: str
    name: str
    summary: str
    level: Level
    certainty: Certainty
    fix: Fix
    needs: tuple[str, ...]
    since: str
    finder: Find | None = None
    repairer: RepairOf | None = None

    def find(self, function: Find) -> Find:
        """Decorator: the function that yields suspects from the linked program."""
        self.finder = function
        return function

    def repair(self, function: RepairOf) -> RepairOf:
        """Decorator: the function that describes the repair of a suspect, or returns None when there is none."""
        self.repairer = function
        return function
