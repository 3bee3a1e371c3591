"""What a repair would change, as a few numbered lines: as data, and drawn below its title in a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from trainlint.app.report.printable import ELLIPSIS, glyphs
from trainlint.app.report.style import Style
from trainlint.finding import Edit, Repair, Span

# Comparing lines is quadratic at worst: a repair that spans more lines than this is shown by its title alone.
_MOST_LINES = 300
_LINE_END = re.compile(r"\r\n|\r|\n")


class Row(NamedTuple):
    """A line of a change: ``sign`` is ``-`` for one that goes, ``+`` for one that comes, ``|`` for one that stays.

    ``number`` is its 1-based number after the change; None for one that goes. ``...`` as sign: lines are left out here.
    """

    number: int | None
    sign: str
    text: str


def preview(lines: Sequence[str], repair: Repair, style: Style) -> list[str]:
    """What :func:`rows` gives, drawn for a terminal."""
    shown = rows(lines, repair.edits)
    gutter = max((len(str(row.number)) for row in shown if row.number is not None), default=1)
    edge = style.gutter(" " * (gutter + 1) + "|")
    return [edge, *(_drawn(row, gutter, style) for row in shown), edge] if shown else []


def rows(lines: Sequence[str], edits: Sequence[Edit]) -> list[Row]:
    """The lines that edits take away and add, with one line around them; nothing when they cannot be shown.

    ``lines`` are those of the file or cell to which the edits belong.
    """
    region = _region(lines, edits)
    if region is None:
        return []
    first, before = region
    after = _applied(first, before, edits)
    if after is None:
        return []
    if before[-1] == after[-1] == "" and first + len(before) - 1 > len(lines):
        # The empty line behind the last line end is no line of the file.
        before, after = before[:-1], after[:-1]
    return _compared(before, after, first)


def _region(lines: Sequence[str], edits: Sequence[Edit]) -> tuple[int, list[str]] | None:
    """The lines the edits touch with one around them, and the 1-based number of the first."""
    if not edits or not lines:
        return None
    first = max(1, min(edit.span.line for edit in edits) - 1)
    last = max(edit.span.end_line for edit in edits) + 1
    if last - first > _MOST_LINES or first > len(lines) + 1:
        return None
    # One empty line more than there are: an edit may end, or insert, right after the last line end.
    return first, [*lines, ""][first - 1 : last]


def _applied(first: int, before: list[str], edits: Sequence[Edit]) -> list[str] | None:
    """The region after the edits; None when an edit lies outside it or over another (then there is nothing to show)."""
    text = "\n".join(before)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line) + 1)
    end_of_last = len(text)
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        bounds = _bounds(edit.span, first, starts)
        if bounds is None or bounds[1] > end_of_last or bounds[0] > bounds[1]:
            return None
        text = text[: bounds[0]] + edit.content + text[bounds[1] :]
        end_of_last = bounds[0]
    return _LINE_END.split(text)


def _bounds(span: Span, first: int, starts: list[int]) -> tuple[int, int] | None:
    begin, end = span.line - first, span.end_line - first
    if begin < 0 or end < 0 or begin >= len(starts) - 1 or end >= len(starts) - 1:
        return None
    return starts[begin] + span.column - 1, starts[end] + span.end_column - 1


def _compared(before: list[str], after: list[str], first: int) -> list[Row]:
    found: list[Row] = []
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(1):
        found += [Row(None, ELLIPSIS, "")] * bool(found)
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                found += [Row(first + j, "|", after[j]) for j in range(j1, j2)]
                continue
            found += [Row(None, "-", line) for line in before[i1:i2]]
            found += [Row(first + j, "+", after[j]) for j in range(j1, j2)]
    return found


def _drawn(row: Row, gutter: int, style: Style) -> str:
    number, sign, line = row
    if sign == ELLIPSIS:
        return style.gutter(ELLIPSIS)
    label = style.gutter(f"{'' if number is None else number:>{gutter}}")
    room = max(style.columns - gutter - 3, 20)
    shown, _, whole = glyphs(line, room)
    if not whole:
        shown, _, _ = glyphs(line, room - len(ELLIPSIS))
    text = "".join(shown) + ("" if whole else ELLIPSIS)
    paint = {"-": style.removed, "+": style.added}.get(sign)
    if paint is None:
        return f"{label} {style.gutter(sign)} {text}".rstrip()
    return f"{label} {paint(f'{sign} {text}'.rstrip())}"
