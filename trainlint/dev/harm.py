"""What is wrong with the bytes of a repaired file: it no longer parses, or more changed in it than its repairs say."""

from __future__ import annotations

import io
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import AnyStr

from trainlint.finding import Edit, Finding
from trainlint.source.errors import UnreadableSource
from trainlint.source.text import Source

_LINE_END = re.compile(rb"\r\n|\r|\n")
_LINES = re.compile(r"\r\n|\r|\n")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


Step = tuple[Sequence[str], Sequence[Finding]]
"""The lines of a file before a round of repairs, and the findings whose repairs could be made in it."""


def harm(path: Path, before: bytes, after: bytes, steps: Sequence[Step]) -> Iterator[str]:
    """Sentences about a file that was ``before`` and is ``after`` these rounds of repairs; none when all is well."""
    if after == before:
        return
    if not steps:
        yield "changed, and no repair was offered"
        return
    if not parses(path, after):
        yield "does not parse any more"
        return
    yield from _layout(before, after)
    if path.suffix == ".py":
        gone = [text for text in comments(before) - comments(after) if not _for_linters(text)]
        yield from (f"a comment is gone: {text}" for text in gone)
        texts = [*(lines for lines, _ in steps), _LINES.split(Source.from_bytes(path, after).text)]
        for number, (lines, findings) in enumerate(steps):
            if not is_subsequence(untouched_lines(lines, findings), texts[number + 1]):
                yield "a line changed that no edit names"


def parses(path: Path, data: bytes) -> bool:
    """Whether the file (the code of a notebook) can be read and parsed."""
    try:
        source = Source.from_bytes(path, data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other people's invalid escapes
            compile(source.code, str(path), "exec", dont_inherit=True, flags=0x400)  # PyCF_ONLY_AST
    except (UnreadableSource, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def untouched_lines(lines: Sequence[AnyStr], findings: Iterable[Finding]) -> list[AnyStr]:
    """Those of the lines of a file that no edit of the findings' repairs changes, in order."""
    edits = [edit for each in findings if each.repair is not None for edit in each.repair.edits]
    touched = {
        line for edit in edits for line in range(edit.span.line, edit.span.end_line + (not _ends_before_its_last_line(edit)))
    }
    return [line for number, line in enumerate(lines, 1) if number not in touched]


def is_subsequence(part: Iterable[AnyStr], whole: Iterable[AnyStr]) -> bool:
    """Whether all of ``part`` stands in ``whole`` in the same order."""
    rest = iter(whole)
    return all(any(line == other for other in rest) for line in part)


def comments(data: bytes) -> Counter[str]:
    """The comments of a file, as a multiset."""
    return Counter(token.string for token in tokenize.tokenize(io.BytesIO(data).readline) if token.type == tokenize.COMMENT)


def _layout(before: bytes, after: bytes) -> Iterator[str]:
    """Byte order mark, kinds of line ends and the end of the file are as they were."""
    if any(before.startswith(bom) != after.startswith(bom) for bom in _BOMS):
        yield "its byte order mark is another one"
    if not set(_LINE_END.findall(after)) <= set(_LINE_END.findall(before)):
        yield "it has line ends that it did not have"
    if before.endswith((b"\n", b"\r")) != after.endswith((b"\n", b"\r")):
        yield "it ends in another way"


def _for_linters(comment: str) -> bool:
    """Whether it is one of the comments that a repair (of an unused suppression) takes away."""
    return "noqa" in comment.lower() or "trainlint" in comment


def _ends_before_its_last_line(edit: Edit) -> bool:
    """Whether the line on which the edit's span ends stays as it is: the span ends at its start, and so does the new text."""
    whole_lines = edit.content.endswith(("\n", "\r")) or (not edit.content and edit.span.column == 1)
    return edit.span.end_column == 1 and whole_lines
