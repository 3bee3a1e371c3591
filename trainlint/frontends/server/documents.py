"""Open files as the client has them: a script is one document, a notebook has one for each of its cells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from trainlint.frontends.server.positions import Units
from trainlint.frontends.server.texts import as_saved, changed

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
