"""What the checklist says of a job: a line with its verdict, its evidence, and the way by which the job comes to it.

What the checklist says of a job: one line for each thing that a training handbook wants to be looked at.

How a job comes to what it runs: where a call stands, in a loop or not, behind which options.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import Term
from trainlint.ir.sketch import Function


class Verdict(enum.Enum):
    """What is known of a line; the text is what a reader sees."""

    SEEN = "seen"
    MISSING = "missing"
    NOT_NEEDED = "not needed"
    UNKNOWN = "cannot be known from the code"


#: So many places are shown of a line.
_PLACES = 3
#: The message of a place that speaks for itself: its line is shown.
HERE = "here"


@dataclass(frozen=True)
class Evidence:
    """A place (path as the engine knows it, the parser's spot) and what stands there."""

    path: str
    spot: Spot
    message: str


def first_few(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """As many places, each once, as a line shows."""
    return tuple(islice(dict.fromkeys(found), _PLACES))


@dataclass(frozen=True)
class Line:
    """One line of a checklist.

    ``why`` says what the verdict rests on, in a sentence. ``command`` is what would tell, for what the code cannot.
    """

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


class Way(NamedTuple):
    """How something is reached: only with an ``option`` (that is off by default), in a loop, behind which words.

    ``left`` are the words of tests that are left to a configuration which is not there.
    ``last`` is the option without which it runs in the last round of a loop alone.
    """

    option: str | None = None
    looped: bool = False
    words: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    last: str | None = None

    def beats(self, other: Way) -> bool:
        """Whether this is the better reason to believe that it runs."""
        return (self.option is None, self.looped, not self.left) > (other.option is None, other.looped, not other.left)


class Place(NamedTuple):
    """A call (or a decorator) in the files of a job; ``way`` is None for what is only around.

    ``is_unsaid``: that is so because a value switches it that is not known.
    """

    module: str
    function: Function
    term: Term
    spot: Spot
    way: Way | None
    is_unsaid: bool = False


def after(before: Way, own: Way) -> Way:
    """How something is reached that is reached in one way from what is reached in another."""
    return Way(
        own.option or before.option,
        before.looped or own.looped,
        before.words | own.words,
        before.left | own.left,
        own.last or before.last,
    )
