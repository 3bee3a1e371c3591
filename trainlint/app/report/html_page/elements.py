"""Elements of the page: escaped text, and source lines with their marks.

Elements of a page. Text goes in as text: what escapes it is the serializer of the standard library, in one place.

What a browser would act on or hide (controls, overrides of the reading direction) is spelled out, as everywhere in the report.

Source lines on the page: the frame around a place, one line of a place, and what a repair changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias
from xml.etree import ElementTree as ET

from trainlint.app.report.frame import elided, plan_frame
from trainlint.app.report.preview import rows
from trainlint.app.report.printable import ELLIPSIS, escape
from trainlint.finding import Edit, Span

Node: TypeAlias = "ET.Element | str | None"
"""What an element may hold; None stands for nothing."""

_CODE = re.compile(r"`([^`]+)`")


def element(tag: str, *content: Node, **attributes: str | int | bool | None) -> ET.Element:
    """An element. ``class_`` is the attribute ``class``, ``data_level`` is ``data-level``; None or False: not there.

    True is an attribute without a value.
    """
    made = ET.Element(tag)
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        made.set(name.rstrip("_").replace("_", "-"), "" if value is True else shown(str(value)))
    return extend(made, content)


def extend(made: ET.Element, content: Iterable[Node]) -> ET.Element:
    """Put more into an element, and give it back."""
    for part in content:
        if part is None:
            continue
        if not isinstance(part, str):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + shown(part)
        else:
            made.text = (made.text or "") + shown(part)
    return made


def shown(text: str) -> str:
    """``text`` with what a browser would act on or hide spelled out; tabs stay, for code."""
    if text.isascii() and text.isprintable() and "##" not in text:
        return text
    return "\t".join(escape(part) for part in text.split("\t"))


def verbatim(tag: str, text: str, **attributes: str) -> ET.Element:
    """A ``style`` or ``script`` with a text of our own, exactly as it is: its hash stands in the page's policy."""
    if "</" in text or not text.isascii():
        raise ValueError(f"this cannot stand in a {tag}")
    made = ET.Element(tag, dict(attributes))
    made.text = text
    return made


def prose(text: str) -> Iterator[Node]:
    """A sentence whose `names` are code."""
    for number, part in enumerate(_CODE.split(text)):
        if number % 2:
            yield element("code", part)
        elif part:
            yield part


def path(name: str) -> ET.Element:
    """The name of a file, which may be broken behind its folders."""
    made = element("span", class_="path")
    for number, part in enumerate(name.split("/")):
        extend(made, ("/", element("wbr"), part) if number else (part,))
    return made


def written(root: ET.Element) -> str:
    """The page as text: all ASCII, so that no encoding can spoil it, with a line end behind every block."""
    for made in root.iter():
        if made.tag in _BLOCKS and not made.tail:
            made.tail = "\n"
    data: bytes = ET.tostring(root, encoding="us-ascii", method="html")
    return f"<!DOCTYPE html>\n{data.decode('ascii')}\n"


_BLOCKS = frozenset({"article", "aside", "body", "details", "div", "footer", "h1", "h2", "h3", "head", "header", "li", "main"})
_BLOCKS |= frozenset({"link", "meta", "nav", "ol", "p", "pre", "script", "section", "style", "summary", "title", "ul"})


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
