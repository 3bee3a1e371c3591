"""Comments for all that is found: how an old repository takes up the tool and sees only what is new from then on.

For each finding one code is added, on a line where the engine reads it: to the list that stands there already, else as a
comment at the end of the line, behind the comments of other tools. Not every line can hold a comment: one that a backslash
continues cannot, nor one that ends within a string. Nothing else of a file changes, which is checked token by token.
"""

from __future__ import annotations

import tokenize
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from trainlint.app.engine.analysis import Analyser
from trainlint.app.engine.result import Analysis, Result
from trainlint.app.engine.suppression import Directive, read_comment
from trainlint.finding import Applicability, Edit, Finding, Repair, Span
from trainlint.regular import absolute_path
from trainlint.source.text import Source

#: Files that cannot be read or analysed: their comments may not be found either, and hiding that they were skipped
#: would hide everything else.
_BEYOND_COMMENTS = frozenset({"TL001", "TL005", "TL006"})
#: A comment may be unused as soon as another one stands nearer; a second round then says so of the comment.
_ROUNDS = 4
_CANNOT_END = (tokenize.TokenError, SyntaxError)


def add_ignores(
    analyser: Analyser, analysis: Analysis, new: Callable[[Sequence[Finding]], Sequence[Finding]], result: Result
) -> Analysis:
    """Add comments in memory until nothing is found that a comment can suppress; ``new`` are the findings that need one.

    ``result.comments`` says how many there are.
    """
    workspace = analyser.workspace
    comments, suppressed = set[tuple[str, int]](), 0
    for _ in range(_ROUNDS):
        changed = False
        wanted = [finding for finding in new(analysis.findings) if finding.code not in _BEYOND_COMMENTS]
        for path, findings in _by_file(wanted).items():
            source = workspace.read(path) if path in workspace.targets else None
            done = None if source is None else commented(source, findings)
            if source is None or done is None:
                continue
            workspace.originals.setdefault(path, source)
            workspace.replace(path, done.data)
            analyser.forget(path)
            comments.update((path, line) for line in done.lines)
            suppressed += done.findings
            changed = True
        if not changed:
            break
        analysis = analyser.run()
    result.comments = (len(comments), suppressed)
    return analysis


class Commented(NamedTuple):
    """A file with comments: its bytes, the lines that got them, for how many findings."""

    data: bytes
    lines: list[int]
    findings: int


def _by_file(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(absolute_path(finding.path), []).append(finding)
    return found


def commented(source: Source, findings: list[Finding]) -> Commented | None:
    """The file with comments for the findings; None when there is no place for any of them."""
    page = _Page.of(source)
    if page is None:
        return None
    wanted: dict[int, list[Finding]] = {}
    for finding in findings:
        line = page.place(finding.honoured)
        if line is not None:
            wanted.setdefault(line, []).append(finding)
    edits = {line: page.edit(line, sorted({finding.code for finding in found})) for line, found in wanted.items()}
    usable = {line: edit for line, edit in edits.items() if edit is not None and _in_place(source, edit)}
    data = _written(source, list(usable.values()))
    return None if data is None else Commented(data, list(usable), sum(len(wanted[line]) for line in usable))


class _Page:
    """The lines of a file, and which of them can hold a comment."""

    def __init__(self, source: Source) -> None:
        """Raises TokenError or SyntaxError for what is no Python."""
        self._lines = source.lines
        self._comments: dict[int, list[Directive]] = {}
        self._closed: set[int] = set()
        depth, opened = 0, 0
        for token in _tokens(source):
            kind = tokenize.tok_name[token.type]
            if token.type == tokenize.COMMENT:
                line, column = token.start
                said = read_comment(token.string, line, column + 1)
                self._comments[line] = [one for one in said if isinstance(one, Directive)]
            elif token.type == tokenize.STRING and not depth:
                self._closed.update(range(token.start[0], token.end[0]))
            elif kind.endswith("STRING_START"):
                opened = token.start[0] if not depth else opened
                depth += 1
            elif kind.endswith("STRING_END"):
                depth -= 1
                self._closed.update(range(opened, token.end[0]) if not depth else ())
        self._closed.update(
            number for number, line in enumerate(self._lines, 1) if line.rstrip().endswith("\\") and number not in self._comments
        )

    @classmethod
    def of(cls, source: Source) -> _Page | None:
        """The page of a file; None when its text cannot be read token by token."""
        try:
            return cls(source)
        except _CANNOT_END:
            return None

    def place(self, honoured: Sequence[int]) -> int | None:
        """The best of the lines whose comments are read: one with a list, else the first that can hold a comment."""
        listed = (line for line in honoured if self._list(line) is not None)
        free = (line for line in honoured if line not in self._closed)
        return next(listed, None) or next(free, None)

    def edit(self, line: int, codes: Sequence[str]) -> Edit | None:
        """The edit that adds codes to a line; None when all of them stand there."""
        listed = self._list(line)
        if listed is not None:
            missing = [code for code in codes if not listed.holds(code)]
            column = listed.names[-1].span.end_column if listed.names else 0
            return Edit(Span(line, column, line, column), "".join(f", {code}" for code in missing)) if missing else None
        text = self._lines[line - 1]
        bare = text.rstrip(" \t\f")
        return Edit(Span(line, len(bare) + 1, line, len(text) + 1), f"  # trainlint: ignore[{', '.join(codes)}]")

    def _list(self, line: int) -> Directive | None:
        """The comment of ours with a list in a line."""
        return next((one for one in self._comments.get(line, ()) if one.kind == "ignore" and one.names), None)


def _tokens(source: Source) -> Iterator[tokenize.TokenInfo]:
    feed = (f"{line}\n" for line in source.lines)
    for token in tokenize.generate_tokens(lambda: next(feed, "")):
        if token.type == tokenize.ERRORTOKEN:  # before Python 3.12 a lone quote did not stop the tokenizer
            raise tokenize.TokenError("not a token")
        yield token


def _in_place(source: Source, edit: Edit) -> bool:
    """Whether the edit can be made where it is meant: in a notebook, not in a magic."""
    from trainlint.edits.notebooks import split

    return split(source, [edit]) is not None


def _written(source: Source, edits: Sequence[Edit]) -> bytes | None:
    from trainlint.edits.notebooks import in_code, repaired, split

    placed = split(source, edits)
    if not edits or placed is None:
        return None
    repair = in_code(source, Repair(Applicability.SAFE, "", placed))
    data = repaired(source, repair.edits)
    if data is None:
        return None
    after = Source.from_bytes(source.path, data)
    return data if _code_tokens(after) == _code_tokens(source) else None


def _code_tokens(source: Source) -> list[tuple[int, str]] | None:
    """What the file says besides its comments."""
    try:
        return [(token.type, token.string) for token in _tokens(source) if token.type not in (tokenize.COMMENT, tokenize.NL)]
    except _CANNOT_END:
        return None
