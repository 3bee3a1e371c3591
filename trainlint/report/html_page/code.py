"""Source lines on the page: the frame around a place, one line of a place, and what a repair changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint.finding import Edit, Span
from trainlint.report.frame import elided, plan_frame
from trainlint.report.html_page.tree import Node, element, extend
from trainlint.report.preview import rows
from trainlint.report.printable import ELLIPSIS

_CONTEXT = 2
#: Characters of a line; of one that is longer so many are shown, from so many before the place on.
_LONGEST, _BEFORE = 400, 120


def frame(lines: Sequence[str], span: Span, context: int = _CONTEXT) -> ET.Element | None:
    """The lines around a place, which is marked, without the indentation that they share; None when they are not to be had."""
    planned = plan_frame(lines, span, context)
    if planned is None:
        return None
    span, width = planned.span, len(str(planned.last))
    indent = _indent(lines[planned.first - 1 : planned.last])
    skip = max(indent, _skipped(lines[span.line - 1], span))
    block = element("pre", class_="code", tabindex=0)
    for number in range(planned.first, planned.last + 1):
        if elided(span, number):
            if not elided(span, number - 1):
                block.append(element("span", element("i", ELLIPSIS), class_="row gap"))
            continue
        start, end = _marked(lines[number - 1], number, span)
        label = element("i", str(number).rjust(width))
        shown = _line(lines[number - 1], start, end, skip, dots=skip > indent)
        block.append(element("span", label, *shown, class_="row"))
    return block


def one_line(lines: Sequence[str], span: Span) -> ET.Element | None:
    """The first line of a place, without its indentation; None when it is not to be had."""
    planned = plan_frame(lines, span, 0)
    if planned is None:
        return None
    line = lines[planned.span.line - 1]
    start, end = _marked(line, planned.span.line, planned.span)
    indent = len(line) - len(line.lstrip())
    return element("code", *_line(line, max(start, indent), end, max(indent, _skipped(line, planned.span)), dots=False))


def change(lines: Sequence[str], edits: Sequence[Edit]) -> ET.Element | None:
    """What edits take away and add; None when it cannot be shown."""
    shown = rows(lines, edits)
    for end in (0, -1):
        while shown and shown[end].sign == "|" and not shown[end].text.strip():
            del shown[end]
    if not shown:
        return None
    width = max(len(str(row.number or "")) for row in shown)
    indent = _indent([row.text for row in shown])
    block = element("pre", class_="code diff", tabindex=0)
    for number, sign, text in shown:
        kind = {"+": "row add", "-": "row del", ELLIPSIS: "row gap"}.get(sign, "row")
        label = element("i", str(number or "").rjust(width) + " " + (sign if sign in "+-" else " "))
        word = {"+": "added: ", "-": "removed: "}.get(sign)
        said = element("span", word, class_="unseen") if word else None
        block.append(element("span", label, said, *_line(text, 0, 0, indent, dots=False), class_=kind))
    return block


def _indent(lines: Sequence[str]) -> int:
    """How many characters of white space all these lines begin with; empty ones do not count."""
    spaces = [line[: len(line) - len(line.lstrip())] for line in lines if line.strip()]
    same = zip(min(spaces, default=""), max(spaces, default=""), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], same))


def _marked(line: str, number: int, span: Span) -> tuple[int, int]:
    """The characters of a line that belong to a place: from, to."""
    if not span.line <= number <= span.end_line:
        return 0, 0
    start = span.column - 1 if number == span.line else len(line) - len(line.lstrip())
    end = span.end_column - 1 if number == span.end_line else len(line)
    return start, end


def _skipped(line: str, span: Span) -> int:
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return 0 if min(end, span.column + _BEFORE) <= _LONGEST else max(span.column - 1 - _BEFORE, 0)


def _line(line: str, start: int, end: int, skip: int, *, dots: bool = True) -> Iterator[Node]:
    """A line from ``skip`` on, with the characters from ``start`` to ``end`` marked."""
    last = min(len(line), skip + _LONGEST)
    start, end = min(max(start, skip), last), min(max(end, skip), last)
    if skip and dots:
        yield ELLIPSIS
    yield line[skip:start]
    if start < end:
        yield extend(element("mark"), (line[start:end],))
    yield line[end:last] if start < end else line[start:last]
    if last < len(line):
        yield ELLIPSIS


__all__ = ["change", "frame", "one_line"]
