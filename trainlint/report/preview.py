"""What a repair would change, as a few numbered lines below its title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from trainlint.finding import Edit, Repair, Span
from trainlint.report.printable import ELLIPSIS, glyphs
from trainlint.report.style import Style

# Comparing lines is quadratic at worst: a repair that spans more lines than this is shown by its title alone.
_MOST_LINES = 300
_LINE_END = re.compile(r"\r\n|\r|\n")


def preview(lines: Sequence[str], repair: Repair, style: Style) -> list[str]:
    """The lines a repair takes away and adds, with one line around them; nothing when they cannot be shown.

    ``lines`` are those of the file or cell to which the repair's edits belong.
    """
    region = _region(lines, repair.edits)
    if region is None:
        return []
    first, before = region
    after = _applied(first, before, repair.edits)
    if after is None:
        return []
    if before[-1] == after[-1] == "" and first + len(before) - 1 > len(lines):
        # The empty line behind the last line end is no line of the file.
        before, after = before[:-1], after[:-1]
    return _drawn(before, after, first, style)


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


def _drawn(before: list[str], after: list[str], first: int, style: Style) -> list[str]:
    groups = list(SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(1))
    gutter = len(str(first + len(after) - 1))
    edge = style.gutter(" " * (gutter + 1) + "|")
    drawn = [edge]
    for number, group in enumerate(groups):
        if number:
            drawn.append(style.gutter(ELLIPSIS))
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                drawn += [_row(first + j, "|", after[j], gutter, style) for j in range(j1, j2)]
                continue
            drawn += [_row(None, "-", line, gutter, style) for line in before[i1:i2]]
            drawn += [_row(first + j, "+", after[j], gutter, style) for j in range(j1, j2)]
    return [*drawn, edge] if groups else []


def _row(number: int | None, sign: str, line: str, gutter: int, style: Style) -> str:
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
