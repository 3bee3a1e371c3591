"""Where statements begin and end, told from brackets, strings and continued lines alone.

Works on text that no parser accepts (IPython's cells, syntax newer than the running Python). Never fails: an unclosed
bracket or triple-quoted string reaches to the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Statement(NamedTuple):
    """One logical line: ``text[start:end]`` with its line end; ``nesting`` is its deepest level of brackets."""

    start: int
    end: int
    nesting: int


def _triple(quote: str) -> str:
    return rf"{quote * 3}[^{quote}\\]*(?:(?:\\.|{quote}(?!{quote * 2}))[^{quote}\\]*)*(?:{quote * 3}|\Z)"


def _single(quote: str) -> str:
    return rf"{quote}[^{quote}\\\r\n]*(?:\\(?:\r\n|.)[^{quote}\\\r\n]*)*{quote}?"


# Everything that decides where a logical line ends; what stands between does not matter.
_PIECES = re.compile(
    "|".join(
        [
            r"#[^\r\n]*",
            _triple('"'),
            _triple("'"),
            _single('"'),
            _single("'"),
            r"\\(?:\r\n|[\r\n])",
            r"(?P<open>[(\[{])",
            r"(?P<close>[)\]}])",
            r"(?P<end>\r\n?|\n)",
        ]
    ),
    re.DOTALL,
)


def statement_at(text: str, start: int) -> Statement:
    """Return the logical line that begins at index ``start`` (blank and comment lines count as one each)."""
    depth = nesting = 0
    for piece in _PIECES.finditer(text, start):
        kind = piece.lastgroup
        if kind == "end":
            if not depth:
                return Statement(start, piece.end(), nesting)
        elif kind == "open":
            depth += 1
            nesting = max(nesting, depth)
        elif kind == "close":
            depth = max(depth - 1, 0)
    return Statement(start, len(text), nesting)


def statements(text: str) -> Iterator[Statement]:
    """Yield the logical lines of ``text``; together they are the whole text."""
    position = 0
    while position < len(text):
        statement = statement_at(text, position)
        yield statement
        position = statement.end
