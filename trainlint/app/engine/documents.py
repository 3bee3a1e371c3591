"""The files beside the Python in a run: which have words that rules ask for, their findings, their repairs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trainlint.app.engine.result import Group
from trainlint.documents.document import Document, Documents
from trainlint.edits.apply import apply_edits, encode_like
from trainlint.edits.changes import RewriteText
from trainlint.regular import LARGEST
from trainlint.source.triage import words

if TYPE_CHECKING:
    from trainlint.app.engine.workspace import Workspace
    from trainlint.finding import Edit, Span, Spot
    from trainlint.source.text import Source


def look(workspace: Workspace, wanted: frozenset[bytes], *, is_awake: bool) -> Documents:
    """The files that have any of the words.

    Those that are only known of matter when a checked one has such words, or when a checked file of Python ``is_awake``: what is
    checked is compared with what lies around it.
    """
    checked = {
        path: known
        for path in sorted(workspace.documents)
        if path in workspace.targets and (known := _words(workspace, path, wanted))
    }
    if checked or is_awake:
        around = sorted(workspace.documents.difference(workspace.targets))
        checked.update((path, known) for path in around if (known := _words(workspace, path, wanted)))
    return Documents(checked, lambda path: _text(workspace, path))


def compared(groups: Sequence[Group], reads: Mapping[str, frozenset[bytes]], documents: Documents) -> list[Group]:
    """The groups, each with the files that its rules compare it with; ``reads`` are by code the words looked for there."""
    found: list[Group] = []
    for group in groups:
        wanted = frozenset[bytes]().union(*(reads.get(code, ()) for code in group.codes))
        found.append(group._replace(beside=documents.paths(wanted)))
    return found


def alone(documents: Documents, reads: Mapping[str, frozenset[bytes]]) -> Group:
    """The files beside the Python without any Python, and the rules that look for words that stand there."""
    codes = tuple(code for code, words in reads.items() if documents.have(words))
    return Group((), codes, documents.paths(frozenset().union(*reads.values())))


def _words(workspace: Workspace, path: str, wanted: frozenset[bytes]) -> frozenset[bytes]:
    return words(_data(workspace, path)) & wanted


def _data(workspace: Workspace, path: str) -> bytes:
    data = workspace.replaced.get(path)
    if data is not None:
        return data
    try:
        if os.stat(path).st_size > LARGEST:  # noqa: PTH116 - asked of each file of the project
            return b""
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read(LARGEST)
    except (OSError, ValueError):
        return b""


def _text(workspace: Workspace, path: str) -> str | None:
    source = workspace.read(path)
    return None if source is None else source.text


def placed(source: Source, spot: Spot) -> Span | None:
    """Where a finding is shown: of what takes several lines the first; None when the file has no such place."""
    if not 1 <= spot.line <= len(source.lines) or spot.end_line > len(source.lines) + 1:
        return None
    span = source.span(spot)
    if span.line == span.end_line:
        return span
    return span._replace(end_line=span.line, end_column=len(source.lines[span.line - 1].rstrip()) + 1)


def honoured(source: Source, first: int, last: int) -> tuple[int, ...]:
    """The lines whose comments silence a finding in lines ``first`` to ``last``: these, and a comment in a line above."""
    above = first - 1
    own = above >= 1 and source.lines[above - 1].lstrip().startswith("#")
    return tuple(dict.fromkeys((first, last, *((above,) if own else ()))))


def edits(source: Source, change: RewriteText) -> tuple[Edit, ...]:
    """The edits that a change describes."""
    from trainlint.finding import Edit

    return tuple(Edit(source.span(spot), text) for spot, text in change.edits)


def repaired(source: Source, changes: Sequence[Edit]) -> bytes | None:
    """The bytes of the file after edits; None when it can no longer be read as what it is."""
    text = apply_edits(source.text, changes)
    before, after = (_shape(Document(str(source.path), each)) for each in (source.text, text))
    return encode_like(source, text) if before == after else None


def _shape(document: Document) -> tuple[int, int, bool]:
    return len(document.roots), len(document.scripts), document.container is None
