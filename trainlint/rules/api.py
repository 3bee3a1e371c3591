"""How a rule is written: one declared :class:`Rule`, a ``find`` function, and perhaps a ``repair`` function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from trainlint.finding import Level, Spot

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.sites.changes import Change

Certainty = Literal["syntax", "flow", "heuristic"]
Fix = Literal["safe", "unsafe", "display", "none"]


@dataclass(frozen=True)
class Reason:
    """A related place of a suspect: module path, spot and the sentence to print there."""

    path: str
    spot: Spot
    message: str


@dataclass(frozen=True)
class Suspect:
    """What a rule believes to be wrong, before the site has confirmed it on the concrete code.

    ``path`` is the file as the engine knows it, ``spot`` the node, ``node`` its expected ``ast`` kind ("Call", "For", ...),
    ``statement`` the spot of the whole statement that holds it, ``data`` whatever the rule's repair needs.
    """

    path: str
    spot: Spot
    node: str
    statement: Spot
    message: str
    because: tuple[Reason, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


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
