"""Expectation comments: what the analysed code itself says must be reported.

``# expect: TL101`` or ``# expect: TL101, TL201`` stands on the line where findings start; a code named twice is expected
twice; a line without a comment must be silent. JSON has ``// expect: TL920``, and where a line cannot end in a comment
(``FROM image``) ``# expect-below: TL934`` stands on the line above. ``# expect-not-yet: TL101`` marks a known miss: it asks for
nothing today and fails on the day the finding appears, so that the comment gets promoted. ``# expect-likely: TL101`` is of a
likely finding: it must be reported where such findings are asked for, and must not where they are not.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainlint.documents.document import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from trainlint.finding import Finding

_CODES = r"[A-Z]{2,3}\d{3}(?:, [A-Z]{2,3}\d{3})*"
_MENTION = re.compile(r"(?:#|//)\s*expect", re.IGNORECASE)
_COMMENT = re.compile(rf"(?:^|\s)(?:#|//) expect(?P<how>-not-yet|-below|-likely)?: (?P<codes>{_CODES})(?=\s*$|\s+#)")
_BELOW = re.compile(rf"^[ \t]*(?:#|//) expect-below: {_CODES}[ \t]*\r?\n", re.MULTILINE)
_STRIP = re.compile(rf"[ \t]*(?:#|//) expect(?:-not-yet|-likely)?: {_CODES}(?=[ \t]*\r?$|[ \t]+#)", re.MULTILINE)


class BadExpectation(ValueError):
    """A comment that looks like an expectation and is not one; a silent typo would switch a test off."""


@dataclass(frozen=True)
class Expectation:
    """``code`` is reported once on the 1-based ``line`` of ``path`` (relative to the project); a ``known_miss`` is not.

    One that is ``likely`` is reported only where likely findings are asked for.
    """

    path: str
    line: int
    code: str
    known_miss: bool = False
    likely: bool = False


def read_text(text: str, path: str) -> list[Expectation]:
    """The expectations in one file's text, in order. Raises :class:`BadExpectation` on a malformed comment."""
    found: list[Expectation] = []
    for number, comment in _comments(text, path):
        if not _MENTION.search(comment):
            continue
        match = _COMMENT.search(comment)
        if match is None:
            raise BadExpectation(f"{path}:{number}: not an expectation: {comment.strip()}")
        line = number + (match["how"] == "-below")
        how = match["how"]
        found += [Expectation(path, line, code, how == "-not-yet", how == "-likely") for code in match["codes"].split(", ")]
    return found


def read_project(root: Path) -> list[Expectation]:
    """The expectations of a file, or of all files below a directory that are checked, sorted by path and line."""
    if root.is_file():
        return read_text(root.read_text(encoding="utf-8"), root.name)
    files = sorted(path for path in root.rglob("*") if _may_expect(path) and path.is_file())
    return [each for file in files for each in read_text(file.read_text(encoding="utf-8"), file.relative_to(root).as_posix())]


def _may_expect(path: Path) -> bool:
    return path.suffix == ".py" or kind_of(path.name) is not None


def without(text: str) -> str:
    """``text`` without its expectation comments, as a reader or a repair should see it; other comments stay."""
    return _STRIP.sub("", _BELOW.sub("", text))


def problems(
    root: Path, findings: Iterable[Finding], expected: Sequence[Expectation] | None = None, *, likely: bool = False
) -> list[str]:
    """Compare ``findings`` with the expectations below ``root`` as multisets per (file, line): a sentence for each difference.

    ``likely``: whether the findings are those of a run that was asked for likely ones, too.
    """
    wanted = read_project(root) if expected is None else expected
    base = (root.parent if root.is_file() else root).resolve()
    reported = list(findings)
    got = Counter((_relative(each.path, base), each.span.line, each.code) for each in reported)
    want = Counter((each.path, each.line, each.code) for each in wanted if not each.known_miss and (likely or not each.likely))
    misses = {(each.path, each.line, each.code) for each in wanted if each.known_miss}
    messages = {(_relative(each.path, base), each.span.line, each.code): each.message for each in reported}
    return [
        _sentence(key, want[key], got[key], messages.get(key, ""), known_miss=key in misses)
        for key in sorted(want | got)
        if want[key] != got[key]
    ]


def explain(root: Path, sentences: Sequence[str]) -> str:
    """The failure message of a test: what differs, each with its source line."""
    shown = []
    for sentence in sentences:
        name, line = sentence.split(":", 2)[:2]
        file = root if root.is_file() else root / name
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        source = lines[int(line) - 1].strip() if int(line) <= len(lines) else ""
        shown.append(f"{sentence}\n      | {source}")
    return f"{root}: {len(sentences)} difference(s)\n  " + "\n  ".join(shown)


def _sentence(key: tuple[str, int, str], wanted: int, got: int, message: str, *, known_miss: bool) -> str:
    path, line, code = key
    if known_miss:
        return f"{path}:{line}: {code} is reported now: turn `expect-not-yet` into `expect`"
    if got > wanted:
        return f"{path}:{line}: {code} reported {got} time(s), expected {wanted}: {message}"
    return f"{path}:{line}: {code} expected {wanted} time(s), reported {got}"


def _comments(text: str, path: str) -> Iterator[tuple[int, str]]:
    """Comment tokens with their lines; for text that does not tokenise, every line's tail after a ``#`` (of JSON, ``//``)."""
    kind = kind_of(path.rpartition("/")[2])
    try:
        tokens = None if kind is not None else list(tokenize.generate_tokens(io.StringIO(text, newline=None).readline))
    except (tokenize.TokenError, SyntaxError):
        tokens = None
    if tokens is None:
        mark = "//" if kind == "json" else "#"
        yield from ((number, line[line.index(mark) :]) for number, line in enumerate(text.splitlines(), 1) if mark in line)
        return
    yield from ((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)


def _relative(path: Path, base: Path) -> str:
    resolved = path.resolve()
    return resolved.relative_to(base).as_posix() if resolved.is_relative_to(base) else str(resolved)
