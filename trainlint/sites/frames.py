r"""How a piece of a file becomes a text that libcst can parse alone, with every column kept.

A frame holds the piece's own text between header and footer lines that make it a module: ``if 1:`` above an indented
statement, ``if 1: pass`` above an ``elif``, parentheses around an expression. What stands before the piece on its first
line becomes blanks of the same width, what follows it on its last line is left out. Line ends are always ``\\n`` here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainlint.finding import Span
from trainlint.sites.errors import SiteRefused

if TYPE_CHECKING:
    from trainlint.source.text import Source

_HEADERS = {"elif": "if 1: pass", "except": "try: pass"}
_DECORATED = ("def ", "class ", "async ")
_UNOPENABLE = ("else", "finally")


@dataclass(frozen=True)
class Frame:
    """A module's ``text`` whose line ``header + 1`` is line ``first_line`` of the file (both 1-based)."""

    text: str
    header: int
    first_line: int

    def to_file(self, line: int) -> int:
        """The file's line of a line of the frame."""
        return line - self.header + self.first_line - 1

    def to_frame(self, line: int) -> int:
        """The frame's line of a line of the file."""
        return line - self.first_line + 1 + self.header


def frames(source: Source, span: Span) -> Iterator[Frame]:
    """The frames in which the text at ``span`` may be parsed, likeliest first.

    Raises ``SiteRefused`` when the span lies outside the file or begins with ``else`` or ``finally``, which nothing stands for.
    """
    piece, prefix = _cut(source, span)
    word = _first_word(piece)
    if word in _UNOPENABLE:
        raise SiteRefused(f"a statement cannot begin with {word}")
    # A form feed sets the column back for CPython but not for libcst.
    blank = " " * len(prefix) if prefix.strip() else prefix.replace("\f", " ")
    body = f"{blank}{piece}\n"
    if word in _HEADERS:
        inner = f"{blank}{_HEADERS[word]}\n{body}"
        yield Frame(f"if 1:\n{inner}", 2, span.line) if blank else Frame(inner, 1, span.line)
        return
    yield Frame(f"if 1:\n{body}", 1, span.line) if blank else Frame(body, 0, span.line)
    # An expression that was broken over lines inside brackets of its surroundings needs brackets of its own.
    if span.end_line > span.line:
        yield Frame(f"(\n{body})\n", 1, span.line)


def with_decorators(source: Source, span: Span) -> Span:
    """``span`` from the first decorator on, when a decorated definition stands there (``ast`` begins it at ``def``)."""
    text = source.lines[span.line - 1]
    blanks, rest = text[: span.column - 1], text[span.column - 1 :]
    if blanks.strip() or not rest.startswith(_DECORATED):
        return span
    first = span.line
    for number in range(span.line - 1, 0, -1):
        above = source.lines[number - 1]
        if above.startswith(f"{blanks}@"):
            first = number
        elif above.strip() and not above.startswith((f"{blanks} ", f"{blanks}\t", *(blanks + mark for mark in "#)]}"))):
            break
    return span._replace(line=first)


def _first_word(piece: str) -> str:
    match = re.match(r"[a-z]+\b", piece)
    return match.group() if match else ""


def _cut(source: Source, span: Span) -> tuple[str, str]:
    r"""The text at ``span``, lines joined by ``\\n``, and what stands before it on its first line."""
    lines = source.lines[span.line - 1 : span.end_line]
    if span.line < 1 or len(lines) != span.end_line - span.line + 1:
        raise SiteRefused("the statement lies outside the file")
    prefix = lines[0][: span.column - 1]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    piece = "\n".join(lines)
    if not piece.strip():
        raise SiteRefused("no statement stands here")
    return piece, prefix
