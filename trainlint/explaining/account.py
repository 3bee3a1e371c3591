"""What is told of one line: plain data, which the text and the JSON are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

REPORTED = "reported"
"""The state of a finding that a check reports."""


class At(NamedTuple):
    """A place: the file as the user spells it, the 1-based cell of a notebook (else None), 1-based line and column."""

    path: Path
    cell: int | None
    line: int
    column: int


class Step(NamedTuple):
    """A sentence, perhaps with its place; ``depth`` is how far it is indented: what it says is about the step above."""

    text: str
    at: At | None = None
    depth: int = 0


class OverRanks(NamedTuple):
    """What a value is from rank to rank.

    ``word`` is ``uniform``, ``rank-dependent``, ``per-rank data`` or ``unknown`` (taken to be the same everywhere);
    ``text`` says it; ``by_rank`` are the values on the example ranks, printed, when they are known; ``at`` is where ranks
    get data of their own.
    """

    word: str
    text: str
    by_rank: tuple[str, ...] = ()
    at: At | None = None


class Seen(NamedTuple):
    """An expression on the line: its source, what it can stand for, what it is over the ranks, where it comes from."""

    source: str
    stands_for: tuple[str, ...]
    over_ranks: OverRanks | None
    origin: tuple[Step, ...]


class Holds(NamedTuple):
    """A test (or loop, context manager, ``try``) around the line: what is known of it wherever the line runs."""

    text: str
    at: At
    over_ranks: OverRanks | None = None


class Side(NamedTuple):
    """What some of the example ranks run from the entry of the function to its end."""

    who: str
    ranks: tuple[int, ...]
    steps: tuple[Step, ...]


@dataclass
class Trace:
    """The collectives of a function. One side: all ranks run the same, as far as is known; ``note`` says what there is to say."""

    note: str
    sides: tuple[Side, ...] = ()


class Reported(NamedTuple):
    """A finding whose place or related place is on the line; ``state`` is :data:`REPORTED` or says why it is not."""

    code: str
    name: str
    message: str
    at: At
    state: str
    related: bool = False


@dataclass
class Account:
    """Everything there is to tell.

    ``source`` are the lines of the statement, the first of them number ``first``; ``function`` names what they stand in and
    ``function_at`` says where that begins (None at the top level); ``asleep`` says that a check would not look at the file.
    """

    at: At
    first: int
    source: tuple[str, ...]
    kind: str
    function: str
    function_at: At | None
    asleep: bool = False
    values: tuple[Seen, ...] = ()
    guards: tuple[Holds, ...] = ()
    reached: tuple[Step, ...] = ()
    trace: Trace = field(default_factory=lambda: Trace(""))
    findings: tuple[Reported, ...] = ()
    silence: tuple[Step, ...] = ()
