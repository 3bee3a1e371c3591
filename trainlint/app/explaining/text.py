"""What is told of one line: the account as plain data, as text laid out for a terminal, and as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from trainlint.app.report.places import position
from trainlint.app.report.printable import escape, glyphs, width, wrap
from trainlint.app.report.style import WIDEST, Style

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


#: So many steps each part shows; then it says that there are more.
_STEPS = 24


def first_few(steps: Iterable[Step]) -> tuple[Step, ...]:
    """As many steps as a part shows. Of more nothing is worked out."""
    found = tuple(islice(steps, _STEPS + 1))
    return found if len(found) <= _STEPS else (*found[:-1], Step("... and more", None, found[-1].depth))


def shortened(text: str, most: int) -> str:
    """A text of so many characters at most."""
    return text if len(text) <= most else text[: most - 3] + "..."


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


ASLEEP = (
    "A check does not parse this file: it names nothing that a rule looks for, and no import connects it with a file that does. "
    "It was parsed for this explanation."
)


def render(account: Account, style: Style) -> str:
    """The account for people."""
    return "\n".join(line.rstrip() for line in _Page(account, style).lines()) + "\n"


class _Page:
    def __init__(self, account: Account, style: Style) -> None:
        self.account = account
        self.style = style
        self.columns = min(style.columns, WIDEST)

    def lines(self) -> Iterator[str]:
        yield from self._head()
        yield from self._section("Values", self._values())
        yield from self._section("Holds here", self._guards(), "nothing is tested on the way from the beginning of the function")
        yield from self._section("Reached", self._steps(self.account.reached, 1))
        yield from self._section(f"Collectives of {self._function()}", self._trace())
        yield from self._section("Findings", self._findings(), "none on this line")
        yield from self._section("Silent because", self._steps(self.account.silence, 1))

    def _function(self) -> str:
        known = self.account.function
        return f"`{escape(known)}`" if self.account.function_at is not None else escape(known)

    def _head(self) -> Iterator[str]:
        account = self.account
        began = f" ({self._place(account.function_at)})" if account.function_at is not None else ""
        kind = "nothing runs on this line" if account.kind == "nothing" else account.kind
        where = position(account.at.path, account.at.cell, account.at.line, 1).rpartition(":")[0]
        first, *rest = self._wrapped(f"{where}: {kind}, in {self._function()}{began}", 0)
        yield self.style.strong(where) + first.removeprefix(where) if first.startswith(where) else first
        yield from rest
        if account.asleep:
            yield from self._wrapped(escape(ASLEEP), 0)
        yield ""
        gutter = len(str(account.first + len(account.source) - 1))
        for number, line in enumerate(account.source, account.first):
            shown, _, whole = glyphs(line, max(self.style.columns - gutter - 6, 20))
            mark = self.style.related(">") if number == account.at.line and len(account.source) > 1 else " "
            label = self.style.gutter(f"{number:>{gutter}} |")
            yield f"{mark}{label} {''.join(shown)}{'' if whole else '...'}"

    def _section(self, title: str, lines: Iterable[str], nothing: str = "") -> Iterator[str]:
        body = list(lines)
        if body or nothing:
            yield ""
            yield self.style.strong(title)
            yield from body or [f"  {nothing}"]

    def _values(self) -> Iterator[str]:
        told: set[tuple[Step, ...]] = set()
        for seen in self.account.values:
            yield from self._wrapped(escape(seen.source), 1, paint=True)
            yield from self._seen(seen if seen.origin not in told else seen._replace(origin=()))
            told.add(seen.origin)

    def _seen(self, seen: Seen) -> Iterator[str]:
        several = len(seen.stands_for) > 1
        for number, said in enumerate(seen.stands_for):
            yield from self._wrapped(f"{'or ' if number else 'is ' if not several else 'is either '}{escape(said)}", 2)
        if seen.over_ranks is not None:
            yield from self._over_ranks(seen.over_ranks, 2)
        yield from self._steps(seen.origin, 2)

    def _over_ranks(self, meaning: OverRanks, indent: int) -> Iterator[str]:
        place = f" ({self._place(meaning.at)})" if meaning.at is not None else ""
        yield from self._wrapped(f"{meaning.word}: {escape(meaning.text)}{place}", indent)

    def _guards(self) -> Iterator[str]:
        for guard in self.account.guards:
            yield from self._step(Step(guard.text, guard.at), 1)
            if guard.over_ranks is not None:
                yield from self._over_ranks(guard.over_ranks, 2)

    def _findings(self) -> Iterator[str]:
        for finding in self.account.findings:
            yield from self._finding(finding)

    def _finding(self, finding: Reported) -> Iterator[str]:
        related = "this line explains it: " if finding.related else ""
        where = position(finding.at.path, finding.at.cell, finding.at.line, finding.at.column)
        yield from self._wrapped(f"{finding.code} {finding.name} at {where}", 1, paint=True)
        yield from self._wrapped(related + escape(finding.message), 2)
        if finding.state != REPORTED:
            yield from self._wrapped(escape(finding.state), 2)

    # -- traces ----------------------------------------------------------------------------------------------------

    def _trace(self) -> Iterator[str]:
        trace = self.account.trace
        yield from self._wrapped(escape(trace.note), 1)
        if len(trace.sides) == 2 and self.style.columns >= WIDEST:  # noqa: PLR2004 - side by side
            yield from self._beside(*trace.sides)
            return
        if len(trace.sides) == 1:
            yield from self._steps(trace.sides[0].steps, 1)
            return
        for side in trace.sides:
            yield f"  {self.style.accent(side.who)}"
            yield from self._side(side, next(other for other in trace.sides if other is not side), 2)

    def _side(self, side: Side, other: Side, indent: int) -> Iterator[str]:
        """One side, with a mark where the other has something else."""
        if not side.steps:
            yield "  " * indent + "nothing"
        shared = _shared(side.steps, other.steps)
        for number, step in enumerate(side.steps):
            first, *rest = self._step(step, indent)
            yield from [first, *rest] if number in shared else [f"  {self.style.related('>')} {first[4:]}", *rest]

    def _beside(self, left: Side, right: Side) -> Iterator[str]:
        """Two sides as columns."""
        room = (min(self.style.columns, 2 * WIDEST) - 5) // 2
        columns = []
        for side in (left, right):
            column = _Page(self.account, Style(False, room))
            other = right if side is left else left
            columns.append([side.who, *column._side(side, other, 2)])
        height = max(map(len, columns))
        for number in range(height):
            one, two = (column[number] if number < len(column) else "" for column in columns)
            space = " " * max(room - width(one), 0)
            if number == 0:
                one, two = self.style.accent(one), self.style.accent(two)
            yield f"  {one}{space} {self.style.gutter('|')} {two}"

    # -- steps -----------------------------------------------------------------------------------------------------

    def _steps(self, steps: Sequence[Step], indent: int) -> Iterator[str]:
        for step in steps:
            yield from self._step(step, indent)

    def _step(self, step: Step, indent: int) -> Iterator[str]:
        place = f" ({self._place(step.at)})" if step.at is not None else ""
        yield from self._wrapped(escape(step.text) + place, indent + step.depth)

    def _place(self, at: At) -> str:
        return position(at.path, at.cell, at.line, at.column)

    def _wrapped(self, text: str, indent: int, *, paint: bool = False) -> Iterator[str]:
        """A text at a level; lines after the first are indented a little more."""
        before = "  " * indent
        room = max(self.columns - len(before) - 4, 20)
        for number, part in enumerate(wrap(text, room)):
            yield before + ("    " if number else "") + (self.style.related(part) if paint else part)


def _shared(steps: Sequence[Step], others: Sequence[Step]) -> set[int]:
    """The numbers of the steps that stand in both, in the same order."""
    import difflib

    matcher = difflib.SequenceMatcher(None, list(steps), list(others), autojunk=False)
    return {number for block in matcher.get_matching_blocks() for number in range(block.a, block.a + block.size)}


# -- JSON ---------------------------------------------------------------------------------------------------------------


def as_object(account: Account) -> dict[str, Any]:
    """The account as JSON data: rows and columns are 1-based, columns count characters, file names are absolute."""
    return {
        "asleep": account.asleep,
        "cell": account.at.cell,
        "filename": _absolute(account.at),
        "findings": [
            {
                "code": each.code,
                "location": _location(each.at),
                "message": each.message,
                "name": each.name,
                "related": each.related,
                "state": each.state,
            }
            for each in account.findings
        ],
        "function": account.function if account.function_at is not None else None,
        "function_location": _location(account.function_at),
        "guards": [
            {"location": _location(each.at), "over_ranks": _meaning(each.over_ranks), "text": each.text}
            for each in account.guards
        ],
        "kind": account.kind,
        "reached": _objects(account.reached),
        "row": account.at.line,
        "silence": _objects(account.silence),
        "source": list(account.source),
        "trace": {
            "note": account.trace.note,
            "sides": [{"ranks": list(side.ranks), "steps": _objects(side.steps)} for side in account.trace.sides],
        },
        "values": [
            {
                "origin": _objects(each.origin),
                "over_ranks": _meaning(each.over_ranks),
                "source": each.source,
                "stands_for": list(each.stands_for),
            }
            for each in account.values
        ],
    }


def _objects(steps: Sequence[Step]) -> list[dict[str, Any]]:
    return [{"depth": step.depth, "location": _location(step.at), "text": step.text} for step in steps]


def _meaning(meaning: OverRanks | None) -> dict[str, Any] | None:
    if meaning is None:
        return None
    return {
        "by_rank": list(meaning.by_rank),
        "location": _location(meaning.at),
        "text": meaning.text,
        "word": meaning.word,
    }


def _location(at: At | None) -> dict[str, Any] | None:
    return None if at is None else {"cell": at.cell, "column": at.column, "filename": _absolute(at), "row": at.line}


def _absolute(at: At) -> str:
    return os.path.normpath(at.path.absolute())
