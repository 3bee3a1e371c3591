"""Open files as the client has them: their texts, positions in the units of the protocol, and edits between texts.

Between our places (lines and columns from 1, in characters) and the protocol's (from 0, in units that were agreed
on).

What an editor holds: as bytes, as lines, and the edits from one text to another.

Open files as the client has them: a script is one document, a notebook has one for each of its cells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from trainlint.finding import Span
from trainlint.source.text import Source, UnreadableSource

_ENCODINGS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Units:
    """The units in which a client counts the characters of a line: those of UTF-16, unless both sides agreed on others."""

    def __init__(self, encoding: str) -> None:
        """Take a position encoding of the protocol: "utf-8", "utf-16" or "utf-32"."""
        self._codec, self._size = _ENCODINGS[encoding]

    def count(self, text: str) -> int:
        """How many units a text has."""
        return len(text) if text.isascii() else len(text.encode(self._codec, "surrogatepass")) // self._size

    def range(self, span: Span, lines: Sequence[str]) -> types.Range:
        """Where a span of a text with these lines is for the client."""
        return types.Range(self._position(span.line, span.column, lines), self._position(span.end_line, span.end_column, lines))

    def _position(self, line: int, column: int, lines: Sequence[str]) -> types.Position:
        text = lines[line - 1] if line <= len(lines) else ""
        return types.Position(line - 1, self.count(text[: column - 1]))

    def place(self, position: types.Position, lines: Sequence[str]) -> tuple[int, int]:
        """The line and column of a client's position; one beyond the end of a line is its end, as the protocol has it."""
        text = lines[position.line] if position.line < len(lines) else ""
        if text.isascii():
            return position.line + 1, min(position.character, len(text)) + 1
        units = 0
        for column, character in enumerate(text, 1):
            if units >= position.character:
                return position.line + 1, column
            units += self.count(character)
        return position.line + 1, len(text) + 1


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


_CODE = types.NotebookCellKind.Code
#: All cells are wanted, those of text too: cells are told from each other by their number.
NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithNotebook(types.NotebookDocumentFilterNotebookType("jupyter-notebook"))], save=True
)


class Document(NamedTuple):
    """A text that the client has open."""

    uri: str
    version: int | None
    text: str


class Opened(NamedTuple):
    """An open file: its number with the client, its bytes, and its documents by cell (1-based; None: the file itself is one).

    ``here`` is the document that was asked for.
    """

    path: Path
    version: int | None
    data: bytes
    documents: Mapping[int | None, Document]
    here: int | None = None


class CellText(TextDocument):
    """The text of a cell. Its changes come in pieces, also where whole texts were asked for."""

    def __init__(self, like: TextDocument, units: Units) -> None:
        super().__init__(like.uri, like.source, like.version, like.language_id)
        self._units = units

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Make one change."""
        self._source = changed(self.source, change, self._units)


def keep_cells(workspace: Workspace, notebook: types.NotebookDocument, units: Units) -> None:
    """Let the cells of a notebook take changes in pieces."""
    for cell in notebook.cells:
        known = workspace.text_documents.get(unquote(cell.document))
        if known is not None and not isinstance(known, CellText):
            workspace.text_documents[unquote(cell.document)] = CellText(known, units)


def of_script(path: Path, document: TextDocument) -> Opened:
    """A script."""
    data = as_saved(path, document.source)
    return Opened(path, document.version, data, {None: Document(document.uri, document.version, document.source)})


def of_notebook(path: Path, notebook: types.NotebookDocument, workspace: Workspace, here: str) -> Opened:
    """A notebook, of which the document ``here`` (an URI) is asked for; its bytes are what says the same in a file."""
    documents: dict[int | None, Document] = {}
    cells = []
    asked = None
    for number, cell in enumerate(notebook.cells, 1):
        known = workspace.text_documents.get(unquote(cell.document))
        text, language = ("", None) if known is None else (known.source, known.language_id)
        documents[number] = Document(cell.document, None if known is None else known.version, text)
        metadata = {"vscode": {"languageId": language}} if language else {}
        cells.append({"cell_type": "code" if cell.kind is _CODE else "markdown", "metadata": metadata, "source": text})
        asked = number if unquote(cell.document) == unquote(here) else asked
    content = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return Opened(path, notebook.version, json.dumps(content).encode(), documents, asked)


def texts_in(data: str) -> list[str]:
    """The texts of the cells of a notebook's JSON."""
    sources = [cell.get("source", "") for cell in json.loads(data)["cells"]]
    return [source if isinstance(source, str) else "".join(source) for source in sources]
