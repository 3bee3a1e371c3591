"""Comments that speak to trainlint: their grammar, which findings they suppress, and which of them say nothing.

The grammar of comments that speak to trainlint: what one comment says, and where in the line it says it.

``# trainlint: ignore[TL101, missing-set-epoch] reason``, ``# trainlint: ignore reason``, the same with ``ignore-file``,
``# noqa``, ``# noqa: TL101, E501 text``, and the words for the analysis (``# trainlint: uniform``).
One comment may hold several of them, and other tools' besides: ``# type: ignore  # trainlint: ignore[TL101]  # noqa: E501``.

Which findings the comments of a file suppress, and which of those comments say nothing (TL002) or nothing known
(TL003).

A file without such a comment costs one search through its bytes. Lines that look as if they held one are read with the
tokenizer, because the same text inside a string means nothing; and that happens only when somebody asks about such a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from trainlint.codes import CODES, COVERED_BY, DEFAULT, NAMES, PREFIXES, find_code, nearest_code
from trainlint.finding import Edit, Span

if TYPE_CHECKING:
    import tokenize

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


ABOUT_COMMENTS = frozenset({"TL002", "TL003"})
"""Rules about the comments themselves: only a comment that names them silences them, or a bare one would excuse itself."""

TOKENIZED_BYTES = 2_000_000
"""Beyond this size a file's comments are only guessed at; it is too big to be analysed anyway."""


class Commented(Protocol):
    """What is needed of a :class:`trainlint.source.Source`."""

    @property
    def data(self) -> bytes:
        """The file."""

    @property
    def lines(self) -> Sequence[str]:
        """The lines that are parsed, without their ends, as CPython counts them."""


class UnusedDirective(NamedTuple):
    """A comment (or some of its codes) that suppresses nothing.

    ``codes`` are the idle ones, () when a bare comment is idle as a whole. ``span`` is the comment, or the codes within it
    when others in the list are needed. ``edits`` take away what is idle and nothing else.
    """

    directive: Directive
    codes: tuple[str, ...]
    span: Span
    edits: tuple[Edit, ...]


class UnknownCode(NamedTuple):
    """What a comment names that does not exist, where, and what was probably meant (None: nothing is near)."""

    text: str
    span: Span
    nearest: str | None


def honoured_lines(first: int, last: int, header_last: int | None = None) -> tuple[int, ...]:
    """Return the lines whose comments apply to a finding in the statement of these lines, all 1-based.

    They are the first and the last line of the statement; of a compound statement also the last line of its header.
    """
    return tuple(dict.fromkeys((first, header_last or first, last)))


class _Said(NamedTuple):
    """Everything the comments of a file say to us, in the order of the file."""

    directives: list[Directive]
    words: dict[int, str]
    misspelt: list[Misspelt]


class Suppressions:
    """The suppression comments of one file. Ask :meth:`match` about every finding first, then :meth:`unused`."""

    def __init__(
        self, source: Commented | None, claims: frozenset[int], bare_noqa: frozenset[int], *, is_python: bool = True
    ) -> None:
        """``claims`` and ``bare_noqa`` are the lines that may hold a comment of ours, or a ``# noqa`` for everybody."""
        self._source = source
        self._is_python = is_python
        self._claims = claims
        self._bare_noqa = bare_noqa
        self._said: _Said | None = None
        self._certain = True

    @classmethod
    def parse(cls, source: Commented, *, is_python: bool = True) -> Suppressions:
        """Return the comments of a file; nothing in it raises. Those of files beside the Python are guessed at line by line."""
        lowered = source.data.lower()
        if b"trainlint:" not in lowered and b"noqa" not in lowered:
            return cls(None, frozenset(), frozenset())

        marked = [(number, line) for number, line in enumerate(source.lines, 1) if "#" in line]
        claims = frozenset(number for number, line in marked if CLAIM.search(line))
        bare = frozenset(number for number, line in marked if BARE_NOQA.search(line))
        return cls(source, claims, bare, is_python=is_python)

    @property
    def words(self) -> dict[int, str]:
        """The words for the analysis (``uniform``, ``per-rank``, ``collective``) by the 1-based line of their comment."""
        return self._read_claims().words

    def match(self, code: str, lines: Iterable[int]) -> Directive | None:
        """Return the comment that suppresses a finding of ``code``, and count it as used; None if the finding stands.

        ``lines`` are those whose comments apply (:func:`honoured_lines`). When several comments would do, the first of these is
        used, so that the others can be called idle: one with the code in the line, a bare one in the line, one for the file with
        the code, a bare one for the file, a bare ``noqa``.
        """
        wanted = frozenset(lines)
        if not self._claims and wanted.isdisjoint(self._bare_noqa):
            return None
        fitting = [said for said in self._read().directives if said.kind == "ignore-file" or said.line in wanted]
        accepted = [code] if code not in COVERED_BY else [code, COVERED_BY[code]]
        for directive in sorted(fitting, key=_precedence):
            written = code if directive.names is None else next(filter(directive.holds, accepted), None)
            if written is not None and (directive.names is not None or code not in ABOUT_COMMENTS):
                directive.used.add(written)
                return directive
        return None

    def unused(self, selected: Callable[[str], bool]) -> list[UnusedDirective]:
        """Return what suppressed nothing so far, in the order of the file.

        A code that is not selected cannot have been used and is not reported; a bare comment is reported only when every rule
        that is on by default is selected. A bare ``noqa`` may be there for other tools, a comment naming TL002 excuses its line.
        Only meaningful for a file that was analysed, after :meth:`match` was asked about all its findings.
        """
        source, directives = self._source, self._read_claims().directives
        if source is None or not self._certain:
            return []
        idle = (_idle_part(source, directive, selected) for directive in directives)
        return [part for part in idle if part is not None and not self._excused("TL002", part.span.line)]

    def unknown(self) -> list[UnknownCode]:
        """Return the codes and names that do not exist, and comments that are almost one of ours, in the order of the file."""
        said = self._read_claims()
        if not self._certain:
            return []
        found = [UnknownCode(*item) for item in said.misspelt]
        names = (name for directive in said.directives for name in directive.names or ())
        strange = (name for name in names if name.ours and name.code is None)
        found += [UnknownCode(name.text, name.span, nearest_code(name.text)) for name in strange]
        return sorted((part for part in found if not self._excused("TL003", part.span.line)), key=lambda part: part.span)

    def _read_claims(self) -> _Said:
        return self._read() if self._claims else _Said([], {}, [])

    def _read(self) -> _Said:
        if self._said is None:
            self._said = _Said([], {}, [])
            if self._source is not None and (self._claims or self._bare_noqa):
                lines = self._claims | self._bare_noqa
                guessed = list(_guessed_comments(self._source, lines))
                comments, self._certain = _comments(self._source, lines) if self._is_python else (guessed, False)
                _listen(comments, self._said)
        return self._said

    def _excused(self, code: str, line: int) -> bool:
        naming = (directive for directive in self._read().directives if directive.holds(code))
        return any(directive.kind == "ignore-file" or directive.line == line for directive in naming)


def _precedence(directive: Directive) -> int:
    if directive.kind == "noqa" and directive.names is None:
        return 4
    return 2 * (directive.kind == "ignore-file") + (directive.names is None)


def _idle_part(source: Commented, directive: Directive, selected: Callable[[str], bool]) -> UnusedDirective | None:
    if directive.names is None:
        may_be_needed = directive.kind == "noqa" or directive.used or not all(map(selected, DEFAULT))
        return None if may_be_needed else UnusedDirective(directive, (), directive.span, (_removal(source, directive),))
    idle = [name for name in directive.names if _is_idle(name, directive, selected)]
    codes = tuple(name.code for name in idle if name.code)
    if len(idle) == len(directive.names):
        return UnusedDirective(directive, codes, directive.span, (_removal(source, directive),))
    if not idle:
        return None
    span = idle[0].span._replace(end_column=idle[-1].span.end_column)
    return UnusedDirective(directive, codes, span, tuple(_without(directive.names, idle)))


def _is_idle(name: Name, directive: Directive, selected: Callable[[str], bool]) -> bool:
    code = name.code
    if code is None or code in ABOUT_COMMENTS or code in directive.used:
        return False
    return selected(code) or any(selected(special) for special, general in COVERED_BY.items() if general == code)


def _without(names: Sequence[Name], idle: Sequence[Name]) -> Iterator[Edit]:
    """Yield the edits that take ``idle`` out of a list in which some name stays, each with one separator."""
    kept_before = False
    for index, name in enumerate(names):
        if name not in idle:
            kept_before = True
        elif kept_before:
            yield Edit(name.span._replace(column=names[index - 1].span.end_column), "")
        else:
            yield Edit(name.span._replace(end_column=names[index + 1].span.column), "")


def _removal(source: Commented, directive: Directive) -> Edit:
    """Return the edit that removes a whole comment with the blanks before it, and its line if nothing else stands there.

    Other comments in the line stay. The reason goes too, but the text after a ``noqa`` stays as a comment of its own: there it
    need not be a reason.
    """
    span, line = directive.span, source.lines[directive.line - 1]
    before, after = line[: span.column - 1].rstrip(), line[span.end_column - 1 :]
    if directive.kind == "noqa" and directive.reason:
        return Edit(span._replace(end_column=directive.reason_column), "# ")
    if after.strip():
        return Edit(span._replace(end_column=len(line) - len(after.lstrip()) + 1), "")
    if before:
        return Edit(Span(span.line, len(before) + 1, span.line, len(line) + 1), "")
    return Edit(_whole_line(source, span.line), "")


def _whole_line(source: Commented, number: int) -> Span:
    """Return the span of a line with its end."""
    length = len(source.lines[number - 1])
    if number < len(source.lines):
        return Span(number, 1, number + 1, 1)
    return Span(number, 1, number, length + 1)


def _listen(comments: Iterable[tuple[int, int, str]], said: _Said) -> None:
    """Sort what the comments (line, 0-based column, text) say into ``said``."""
    for line, start, text in comments:
        for item in read_comment(text, line, start + 1):
            if isinstance(item, Word):
                said.words[item.line] = item.word
            elif isinstance(item, Misspelt):
                said.misspelt.append(item)
            else:
                said.directives.append(item)


def _comments(source: Commented, lines: frozenset[int]) -> tuple[list[tuple[int, int, str]], bool]:
    """Return (line, 0-based column, text) of the comments in these lines, and whether it is certain that they are comments."""
    import tokenize

    found: list[tuple[int, int, str]] = []
    reached = 0
    try:
        for token in _tokens(source, max(lines)):
            if token.type == tokenize.COMMENT and token.start[0] in lines:
                found.append((*token.start, token.string))
            reached = token.end[0]
    except (tokenize.TokenError, SyntaxError):
        return [*found, *_guessed_comments(source, (line for line in lines if line > reached))], False
    return found, True


def _tokens(source: Commented, last: int) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens up to line ``last``. Raises TokenError or SyntaxError where the text is no Python, or too much of it."""
    import tokenize

    if len(source.data) > TOKENIZED_BYTES:
        raise tokenize.TokenError("too long")
    feed = (f"{line}\n" for line in source.lines)
    for token in tokenize.generate_tokens(lambda: next(feed, "")):
        if token.type == tokenize.ERRORTOKEN:  # before Python 3.12 a lone quote did not stop the tokenizer
            raise tokenize.TokenError("not a token")
        yield token
        if token.start[0] > last:
            return


def _guessed_comments(source: Commented, lines: Iterable[int]) -> Iterator[tuple[int, int, str]]:
    """Yield the comments of lines that cannot be tokenized: a ``#`` with no quote before it in its line."""
    for number in sorted(lines):
        code, mark, text = source.lines[number - 1].partition("#")
        if "'" not in code and '"' not in code:
            yield number, len(code), mark + text
