"""The grammar of comments that speak to trainlint: what one comment says, and where in the line it says it.

``# trainlint: ignore[TL101, missing-set-epoch] reason``, ``# trainlint: ignore reason``, the same with ``ignore-file``,
``# noqa``, ``# noqa: TL101, E501 text``, and the words for the analysis (``# trainlint: uniform``).
One comment may hold several of them, and other tools' besides: ``# type: ignore  # trainlint: ignore[TL101]  # noqa: E501``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from trainlint.codes import CODES, NAMES, PREFIXES, find_code, nearest_code
from trainlint.finding import Span

WORDS = ("uniform", "per-rank", "collective")
"""Words that tell the analysis something about their line."""

_OURS = "|".join(PREFIXES)

OURS_IN_NOQA = re.compile(rf"(?:{_OURS})\d{{3}}")
"""Which codes in a ``noqa`` are ours; every other code belongs to another tool."""

CLAIM = re.compile(rf"#[ \t]*(?:trainlint:|(?i:noqa)[ \t]*:.*(?:{_OURS})\d{{3}})")
"""Found in every line that may hold a comment for us, and in some strings."""

BARE_NOQA = re.compile(r"#[ \t]*(?i:noqa)(?!\w|[ \t]*:)")
"""Found in every line that may hold a ``noqa`` for everybody, and in some strings."""

_KINDS = ("ignore", "ignore-file")
# A comment that quotes one of these marks does not use it; hence the look behind.
_MARK = re.compile(r"(?<![\w'\"`#])#+[ \t]*(?:trainlint:[ \t]*(?P<word>[\w-]+)|(?P<noqa>(?i:noqa))(?!\w))")
_NEXT_COMMENT = re.compile(r"(?<!#)#+[ \t]*(?:(?i:noqa|nosec|pragma)\b|[A-Za-z][\w.-]*:)")
_NOQA_CODES = re.compile(r"[ \t]*:[ \t]*(?P<codes>[A-Z]+[0-9]+\b(?:[,\s]+[A-Z]+[0-9]+\b)*)")
_BRACKET = re.compile(r"[ \t]*\[(?P<codes>[^\]]*)\]")
_AFTER_WORD = re.compile(r"[ \t]*(?P<mark>[\[:=(,-]?)[ \t]*(?P<name>[\w-]*)")
_BEFORE_REASON = re.compile(r"[\s:,–—-]*")


class Name(NamedTuple):
    """A code or name in a list: as written, the code it means (None: none of ours), whether it claims to be ours, its place."""

    text: str
    code: str | None
    ours: bool
    span: Span


@dataclass
class Directive:
    """A comment that suppresses. ``names`` is None for a bare one, which suppresses every rule.

    ``span`` is its place from the ``#`` to the end of its reason (and ends before the next comment in the same line),
    ``reason_column`` the 1-based column where the reason starts. ``used`` holds those codes of ``names`` (for a bare directive,
    those of the findings) that have suppressed something.
    """

    kind: Literal["ignore", "ignore-file", "noqa"]
    span: Span
    names: tuple[Name, ...] | None
    reason: str
    reason_column: int
    used: set[str] = field(default_factory=set)

    @property
    def line(self) -> int:
        """The 1-based line of the comment."""
        return self.span.line

    def holds(self, code: str) -> bool:
        """Tell whether the code is written in the list."""
        return self.names is not None and any(name.code == code for name in self.names)


class Word(NamedTuple):
    """A word for the analysis and its 1-based line."""

    line: int
    word: str


class Misspelt(NamedTuple):
    """A comment for us that says nothing we know: its text and place and what was probably meant, if anything is near."""

    text: str
    span: Span
    nearest: str | None


def read_comment(comment: str, line: int, column: int) -> Iterator[Directive | Word | Misspelt]:
    """Yield what a comment says to us, left to right.

    ``comment`` is its text from the ``#`` to the end of the line, ``line`` and ``column`` (1-based, characters) where it starts.
    """
    for mark in _MARK.finditer(comment):
        following = _NEXT_COMMENT.search(comment, mark.end())
        part = _Part(comment[: following.start() if following else None].rstrip(), mark.start(), line, column)
        said = _read_noqa(part, mark.end()) if mark["noqa"] else _read_word(part, mark)
        if said is not None:
            yield said


class _Part(NamedTuple):
    """One of the comments of a line: ``text`` holds it from ``start`` to the end; ``column`` is where ``text`` starts."""

    text: str
    start: int
    line: int
    column: int

    def span(self, start: int, end: int) -> Span:
        return Span(self.line, self.column + start, self.line, self.column + end)

    def directive(self, kind: Literal["ignore", "ignore-file", "noqa"], names: tuple[Name, ...] | None, end: int) -> Directive:
        """Return the directive whose own words end at ``end``, where its reason may begin."""
        blank = _BEFORE_REASON.match(self.text, end)
        reason = blank.end() if blank else end
        return Directive(kind, self.span(self.start, len(self.text)), names, self.text[reason:], self.column + reason)

    def names(self, list_: re.Match[str]) -> Iterator[tuple[str, Span]]:
        """Yield each word of a list and its place."""
        for word in re.compile(r"[^\s,]+").finditer(self.text, *list_.span("codes")):
            yield word[0], self.span(*word.span())


def _read_noqa(part: _Part, end: int) -> Directive | None:
    listed = _NOQA_CODES.match(part.text, end)
    if listed:
        words = [(text, bool(OURS_IN_NOQA.fullmatch(text)), span) for text, span in part.names(listed)]
        names = tuple(Name(text, text if ours and text in CODES else None, ours, span) for text, ours, span in words)
        return part.directive("noqa", names, listed.end())
    if part.text[end:].lstrip().startswith(":"):
        return None  # a list was meant, and it is none; suppressing everything instead would be a guess
    return part.directive("noqa", None, end)


def _read_word(part: _Part, mark: re.Match[str]) -> Directive | Word | Misspelt | None:
    word = mark["word"]
    if word in WORDS:
        return Word(part.line, word)
    span = part.span(mark.start("word"), len(part.text))
    if word not in _KINDS:
        meant = _near_word(word)
        return Misspelt(word, part.span(*mark.span("word")), meant) if meant else None
    listed = _BRACKET.match(part.text, mark.end())
    kind: Literal["ignore", "ignore-file"] = "ignore" if word == "ignore" else "ignore-file"
    if listed:
        names = tuple(Name(text, find_code(text), ours=True, span=place) for text, place in part.names(listed))
        return part.directive(kind, names, listed.end())
    forgotten = _forgotten_bracket(part.text, mark.end())
    if forgotten is not None:
        return Misspelt(part.text[mark.start("word") :], span, f"{word}[{forgotten}]" if forgotten else None)
    return part.directive(kind, None, mark.end())


def _near_word(word: str) -> str | None:
    import difflib

    return next(iter(difflib.get_close_matches(word.lower(), [*_KINDS, *WORDS], n=1, cutoff=0.7)), None)


def _forgotten_bracket(text: str, end: int) -> str | None:
    """Return the code meant by ``ignore TL101``, ``ignore: TL101`` or ``ignore[TL101``; "" if there is only the bracket.

    None: no list was meant, what follows is a reason. Taken as bare these would suppress more than their author wanted.
    """
    found = _AFTER_WORD.match(text, end)
    mark, name = (found["mark"], found["name"]) if found else ("", "")
    if mark != "[" and not re.match(rf"(?:{_OURS})\d", name) and name not in NAMES:
        return None
    return name if find_code(name) else nearest_code(name) or ""
