r"""A site: one statement of a file, cut out so that libcst parses it alone, where a suspect is confirmed and repaired.

Why a site could not be opened. Light to import: the engine catches these without loading libcst.

How a piece of a file becomes a text that libcst can parse alone, with every column kept.

A frame holds the piece's own text between header and footer lines that make it a module: ``if 1:`` above an indented
statement, ``if 1: pass`` above an ``elif``, parentheses around an expression. What stands before the piece on its first
line becomes blanks of the same width, what follows it on its last line is left out. Line ends are always ``\\n`` here.

libcst is loaded by the first :func:`open_site`, not by importing this module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainlint.finding import Edit, Span, Spot

if TYPE_CHECKING:
    import libcst as cst

    from trainlint.edits.changes import Change
    from trainlint.edits.tree import Tree
    from trainlint.source.text import Source


class SiteRefused(Exception):
    """The statement could not be opened as a concrete syntax tree that gives its text back exactly."""


class SiteTooComplex(SiteRefused):
    """The statement is beyond the limits of :mod:`trainlint.edits.tree` and was not given to libcst."""


_HEADERS = {"elif": "if 1: pass", "except": "try: pass"}
_DECORATED = ("def ", "class ", "async ")
_UNOPENABLE = ("else", "finally")
_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


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
    # An expression may need brackets such as it has around it: it is broken over lines, or no statement (``a := b``).
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


class Site:
    """One opened statement. Made by :func:`open_site`."""

    def __init__(self, source: Source, span: Span, tree: Tree) -> None:
        self.source = source
        self.span = span
        self.tree = tree

    def confirm(self, node: str, spot: Spot) -> bool:
        """Whether a node of ``ast`` kind ``node`` ("Call", "For", "keyword", ...) stands at exactly ``spot``.

        The model has ``names += [x]`` as the call that it is.
        """
        return self.node(node, spot) is not None or (node == "Call" and self.node("AugAssign", spot) is not None)

    def node(self, kind: str, spot: Spot) -> cst.CSTNode | None:
        """The libcst node of ``ast`` kind ``kind`` at exactly ``spot``; None when none stands there."""
        span = _span(self.source, spot)
        return None if span is None else self.tree.find(kind, span)

    def edits(self, change: Change) -> tuple[Edit, ...] | None:
        """The text edits that make ``change``, in the file's own style; None when the change is refused.

        A change may concern another statement of the same file: that one is then opened for it.
        The edits do not overlap and are ordered by their place.
        """
        from trainlint.edits.text_edits import edits

        return edits(self, change)

    def at(self, spot: Spot) -> Site | None:
        """The site in which ``spot`` lies: this one, or one newly opened at ``spot``; None when that is refused."""
        span = _span(self.source, spot)
        if span is None:
            return None
        if _within(span, self.span):
            return self
        try:
            return _open(self.source, span)
        except SiteRefused:
            return None


def open_site(source: Source, statement: Spot) -> Site:
    """Open the statement at ``statement``, or the expression there, from its own lines alone.

    For a node inside an ``elif`` the outermost ``if`` is the better statement, but an ``elif`` can be opened too.
    Raises ``SiteTooComplex`` when the statement is beyond the limits, ``SiteRefused`` when it cannot be parsed,
    would not be given back byte for byte, or when no statement stands there.
    """
    span = _span(source, statement)
    if span is None:
        raise SiteRefused("the statement lies outside the file")
    return _open(source, span)


def stands(source: Source, node: str, spot: Spot) -> bool:
    """Whether Python's own tree of the file has a node of ``ast`` kind ``node`` at exactly ``spot``.

    That is for statements that libcst refuses, as it does some that CPython reads: nothing can be edited there, but what was
    seen is there.
    """
    from trainlint.source.parse import UnparsableSource, parse

    try:
        nodes = ast.walk(parse(source))
    except UnparsableSource:
        return False
    kinds = ("Call", "AugAssign") if node == "Call" else (node,)
    return any(type(each).__name__ in kinds and tuple(getattr(each, name, 0) for name in _PLACE) == spot for each in nodes)


def _open(source: Source, span: Span) -> Site:
    from trainlint.edits.tree import parse

    refusal: SiteRefused | None = None
    # What looks like decorators may be something else: then the statement alone is tried.
    for extent in dict.fromkeys((with_decorators(source, span), span)):
        for frame in frames(source, extent):
            try:
                return Site(source, extent, parse(frame))
            except SiteTooComplex:
                raise
            except SiteRefused as error:
                refusal = refusal or error
    raise refusal or SiteRefused("no statement stands here")


def _span(source: Source, spot: Spot) -> Span | None:
    """The span of ``spot``; None when the file has no such place, as when it changed since it was analysed."""
    if not 1 <= spot.line <= spot.end_line <= len(source.lines):
        return None
    for line, column in (spot[:2], spot[2:]):
        if not 0 <= column <= len(source.lines[line - 1].encode("utf-8", "replace")):
            return None
    return source.span(spot)


def _within(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]
