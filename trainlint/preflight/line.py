"""What the checklist says of a job: one line for each thing that a training handbook wants to be looked at."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from trainlint.finding import Spot


class Verdict(enum.Enum):
    """What is known of a line; the text is what a reader sees."""

    SEEN = "seen"
    MISSING = "missing"
    NOT_NEEDED = "not needed"
    UNKNOWN = "cannot be known from the code"


#: The message of a place that speaks for itself: its line is shown.
HERE = "here"


@dataclass(frozen=True)
class Evidence:
    """A place (path as the engine knows it, the parser's spot) and what stands there."""

    path: str
    spot: Spot
    message: str


@dataclass(frozen=True)
class Line:
    """One line of a checklist.

    ``why`` says what the verdict rests on, in a sentence. ``command`` is what would tell, for what the code cannot.
    """

    name: str
    verdict: Verdict
    why: str
    evidence: tuple[Evidence, ...] = ()
    command: str | None = None


@dataclass(frozen=True)
class Item:
    """A line of the list before it is answered: ``group`` and ``title`` as they are printed, ``source`` in the handbook.

    ``codes`` are the rules whose findings in what the job runs say that the line is missing.
    """

    name: str
    group: str
    title: str
    source: str
    codes: tuple[str, ...] = ()
