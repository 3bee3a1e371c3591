"""What somebody else may know of libraries that no table speaks of: the classes of their objects.

A company's package is neither part of the project nor in the tables. Whoever runs the analysis may be able to see it
(pylint can: it follows installed source without running it) and answers one question. It is asked only where the answer can
matter: for an attribute that, by its last name, may be a collective or tell of the rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from trainlint.knowledge import Knowledge


class Outside(Protocol):
    """Whoever knows of libraries. No answer may depend on when it is asked."""

    def classes(self, holder: str, attribute: str) -> Sequence[str]:
        """Names for the classes that give an object its ``attribute``.

        ``holder`` is the dotted name of a class, or of what returned the object when it was called. The answer is its class
        and those above it, the nearest first, up to the one that defines the attribute; each under its dotted names. Empty when
        that is not known for sure.
        """
        ...


class Attributes:
    """Dotted names of the attributes of things of libraries."""

    def __init__(self, knowledge: Knowledge, outside: Outside | None) -> None:
        self.knowledge = knowledge
        self.outside = outside
        self._telling = frozenset(name.rpartition(".")[2] for name in (*knowledge.collectives, *knowledge.ranks))
        self._known: dict[tuple[str, str], str] = {}

    def name(self, holder: str, attribute: str) -> str:
        """The one name of an attribute of what bears, or was made by, the dotted name ``holder``."""
        dotted = self.knowledge.canonical(f"{holder}.{attribute}")
        if self.outside is None or attribute not in self._telling or self._says(dotted):
            return dotted
        key = (holder, attribute)
        if key not in self._known:
            names = (self.knowledge.canonical(f"{cls}.{attribute}") for cls in self.outside.classes(holder, attribute))
            self._known[key] = next(filter(self._says, names), dotted)
        return self._known[key]

    def _says(self, dotted: str) -> bool:
        return dotted in self.knowledge.collectives or dotted in self.knowledge.ranks
