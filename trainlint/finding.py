"""What trainlint reports: findings, their related places and their repairs.

Everything here is plain data shared by every layer; it imports nothing of trainlint.
Lines and columns are 1-based; columns count characters (not bytes); an end column is exclusive.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple


class Level(enum.Enum):
    """How bad a finding is: ``error`` hangs, crashes or is silently wrong; ``warning`` wastes; ``advice`` is off by default."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


class Applicability(enum.Enum):
    """Who may apply a repair: ``safe`` without asking, ``unsafe`` only on demand, ``display`` never (it is shown)."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Span(NamedTuple):
    """A stretch of a text: 1-based lines, 1-based character columns, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Spot(NamedTuple):
    """Where the parser saw a node: 1-based lines, 0-based **byte** columns, end exclusive (exactly as ``ast`` has them).

    Only :meth:`trainlint.source.Source.span` turns a spot into a :class:`Span`.
    """

    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, other: Spot) -> bool:
        """Whether the other spot lies within this one (or is the same)."""
        return self[:2] <= other[:2] and other[2:] <= self[2:]


@dataclass(frozen=True)
class Place:
    """A related place of a finding and the sentence that says what happens there."""

    path: Path
    span: Span
    message: str
    cell: int | None = None


@dataclass(frozen=True)
class Edit:
    """Replace the text of ``span`` by ``content``; an empty span inserts.

    ``cell`` is the 1-based notebook cell in whose lines ``span`` counts (``None`` outside notebooks).
    """

    span: Span
    content: str
    cell: int | None = None


@dataclass(frozen=True)
class Repair:
    """A set of non-overlapping edits of the finding's own file, against one baseline; in a notebook each within one cell."""

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Finding:
    """One mistake in one place, with the places that explain it.

    ``cell`` is the 1-based notebook cell (``None`` outside notebooks; ``span`` then counts within the cell's own lines).
    ``noqa_row`` is the line on which a suppression comment would be honoured. ``honoured`` are all such lines, the best one
    first, as lines of the text that is parsed (which for a notebook are those of all its cells).
    """

    code: str
    name: str
    level: Level
    path: Path
    span: Span
    message: str
    related: tuple[Place, ...] = ()
    repair: Repair | None = None
    cell: int | None = None
    noqa_row: int | None = None
    honoured: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @property
    def sort_key(self) -> tuple[str, int, int, int, str]:
        """Order of output: by file, cell, line, column, code."""
        return (str(self.path), self.cell or 0, self.span.line, self.span.column, self.code)


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

    ``evidence`` is ``must`` where the code shows the mistake, ``likely`` where it only does not show that all is well:
    something unknown would have to speak for it. That is reported where its rule is selected by name, or with ``preview``.
    """

    path: str
    spot: Spot
    node: str
    statement: Spot
    message: str
    because: tuple[Reason, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    evidence: Literal["must", "likely"] = "must"
