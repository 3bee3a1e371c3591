"""Where the cells' code stands in a notebook's JSON: the way from a line of a cell to a place in the file.

Only the ``source`` of each cell is looked at closely; everything else is skipped as a whole. The text was read by
:mod:`trainlint.source.notebook` before, so it is JSON of a notebook; nothing here checks that again.
"""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from trainlint.finding import Span

_LINE_END = re.compile(r"\r\n?|\n")
_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
# One character of a JSON string as it is written. Two escapes that are halves of one character are one.
_WRITTEN = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL)


@dataclass(frozen=True)
class CellText:
    """The ``source`` of a cell.

    ``number`` is 1-based among all cells. ``start`` and ``end`` are where the value stands in the JSON text,
    ``literals`` where its strings stand (with their quotes). ``is_list`` says whether it is a list of strings.
    """

    number: int
    json_text: str
    start: int
    end: int
    is_list: bool
    literals: tuple[tuple[int, int], ...]

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """What the strings say."""
        return tuple(_value(self.json_text, start)[0] for start, _ in self.literals)

    @cached_property
    def text(self) -> str:
        """The code of the cell."""
        return "".join(self.strings)

    @cached_property
    def written(self) -> tuple[str, ...]:
        """Each character of ``text`` as the JSON has it."""
        return tuple(piece for start, end in self.literals for piece in _WRITTEN.findall(self.json_text, start + 1, end - 1))

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        """Where each line of ``text`` begins and ends (without its line end)."""
        found, start = [], 0
        for end in _LINE_END.finditer(self.text):
            found.append((start, end.start()))
            start = end.end()
        return [*found, (start, len(self.text))]

    @property
    def newline(self) -> str:
        """The line end that the code uses most."""
        both = self.text.count("\r\n")
        return "\r\n" if both > self.text.count("\n") - both else "\n"

    def index(self, line: int, column: int) -> int:
        """The index into ``text`` of a 1-based line and column; what lies beyond a line's end is its end."""
        line = min(max(line, 1), len(self._lines))
        start, end = self._lines[line - 1]
        return min(start + max(column, 1) - 1, end)

    def line_length(self, line: int) -> int:
        """How many characters a 1-based line has."""
        start, end = self._lines[line - 1]
        return end - start

    def json_index(self, index: int, *, end: bool = False) -> int:
        """Where the character at an index into ``text`` is written in the JSON text.

        ``end`` says that the index ends something: between two strings that is the end of the first one.
        """
        before = 0
        for (start, stop), string in zip(self.literals, self.strings, strict=True):
            within = index - before
            if within < len(string) or (within == len(string) and (end or stop == self.literals[-1][1])):
                return start + 1 + sum(map(len, self.written[before : before + within]))
            before += len(string)
        return self.end


@lru_cache(maxsize=4)
def cell_texts(text: str) -> tuple[CellText, ...]:
    """The code of all cells of a notebook's JSON that have any, those of text too, in their order.

    The last few answers are kept: every repair of a notebook asks.
    """
    top = {key: where for key, *where in _members(text, _after_blanks(text, 0))}
    found = []
    for number, (start, _) in enumerate(_elements(text, top["cells"][0]), 1):
        value = {key: where for key, *where in _members(text, start)}.get("source")
        if value is None:
            continue
        is_list = text[value[0]] == "["
        literals = tuple(_elements(text, value[0])) if is_list else ((value[0], value[1]),)
        found.append(CellText(number, text, value[0], value[1], is_list, literals))
    return tuple(found)


class JsonLines:
    """The lines of a notebook's JSON text, and where in them the lines of its cells are."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = _LINE_END.split(text)
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        self.cells = {cell.number: cell for cell in cell_texts(text)}

    def span(self, number: int, span: Span) -> Span | None:
        """The place in the file (1-based lines, columns in characters) of a place in a cell; None when there is no such cell."""
        cell = self.cells.get(number)
        if cell is None:
            return None
        first, last = cell.index(span.line, span.column), cell.index(span.end_line, span.end_column)
        start = cell.json_index(first)
        end = max(start, cell.json_index(max(first, last), end=last > first))
        return self.stretch(start, end)

    def stretch(self, start: int, end: int) -> Span:
        """The place in the file between two indexes into the text."""
        return Span(*self._place(start), *self._place(end))

    def _place(self, index: int) -> tuple[int, int]:
        line = bisect.bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1


def _members(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield (key, start of its value, its end) of the object that begins at ``start``."""
    at = _after_blanks(text, start + 1)
    while text[at] != "}":
        key, at = _value(text, at)
        at = _after_blanks(text, _after_blanks(text, at) + 1)
        end = _value(text, at)[1]
        yield key, at, end
        at = _after_comma(text, end)


def _elements(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the elements of the list that begins at ``start``."""
    at = _after_blanks(text, start + 1)
    while text[at] != "]":
        end = _value(text, at)[1]
        yield at, end
        at = _after_comma(text, end)


def _value(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at ``start``, and where it ends."""
    return _DECODER.raw_decode(text, start)


def _after_blanks(text: str, start: int) -> int:
    found = _BLANKS.match(text, start)
    return found.end() if found else start


def _after_comma(text: str, end: int) -> int:
    at = _after_blanks(text, end)
    return _after_blanks(text, at + 1) if text[at] == "," else at
