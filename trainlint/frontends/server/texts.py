"""What an editor holds: as bytes, as lines, and the edits from one text to another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from lsprotocol import types

from trainlint.frontends.server.positions import Units
from trainlint.source.text import Source, UnreadableSource

# As the protocol and CPython's parser both have it; `str.splitlines` would also split at form feeds and others.
_LINE_END = re.compile(r"\r\n?|\n")


def lines_of(text: str) -> list[str]:
    """The lines of a text, without their ends."""
    return _LINE_END.split(text)


def as_saved(path: Path, text: str) -> bytes:
    """The bytes that an editor would write for a text: in the encoding that the text itself declares."""
    plain = text.encode("utf-8", "replace")
    head = "\n".join(_LINE_END.split(text, 2)[:2])
    if text.isascii() or "coding" not in head or not head.isascii():
        return plain
    try:
        return text.encode(Source.from_bytes(path, head.encode()).encoding)
    except (UnreadableSource, UnicodeEncodeError):
        return plain


def changed(text: str, change: types.TextDocumentContentChangeEvent, units: Units) -> str:
    """A text after a change that the client tells of."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    lines = _with_ends(text)
    bare = lines_of(text)

    def index(position: types.Position) -> int:
        if position.line >= len(lines):
            return len(text)
        return sum(map(len, lines[: position.line])) + units.place(position, bare)[1] - 1

    return text[: index(change.range.start)] + change.text + text[index(change.range.end) :]


def edits_between(before: str, after: str, units: Units) -> list[types.TextEdit]:
    """One edit that makes the second text of the first, and leaves the lines before and behind the difference alone."""
    old, new = _with_ends(before), _with_ends(after)
    head = _same(old, new)
    tail = min(_same(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    if head + tail == max(len(old), len(new)):
        return []
    last = len(old) - tail
    start = types.Position(head, 0)
    end = types.Position(last, 0) if tail else types.Position(last - 1, units.count(old[-1])) if old else start
    return [types.TextEdit(types.Range(start, end), "".join(new[head : len(new) - tail]))]


def _with_ends(text: str) -> list[str]:
    """The lines of a text with their ends; the last has none (and may be empty)."""
    starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _same(some: Sequence[str], others: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False)))
