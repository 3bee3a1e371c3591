"""Notebooks in the server: a real client that opens them as editors do, cell by cell, and changes them in pieces."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from lsprotocol import types

from tests.frontends.editor import PATIENCE, Editor, apply, editing

HELPER = "import torch.distributed as dist\n\n\ndef sync():\n    dist.barrier()\n"
TEXT = "# A title"
IMPORTS = "%matplotlib inline\nimport torch.distributed as dist\nfrom ranks import sync"
HANGS = "name = '🦎'\nif dist.get_rank() == 0:\n    dist.barrier()"
CALLS = "if dist.get_rank() == 0:\n    sync()"


class Book:
    """A notebook in an editor: the documents of its cells have URIs of the editor's own making."""

    def __init__(self, editor: Editor, path: Path) -> None:
        self.editor = editor
        self.path = path
        self.version = 0
        self.made = 0
        self.cells: list[str] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.shown: dict[str, Sequence[types.Diagnostic]] = {}
        editor.elsewhere = self._published

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        self.shown[params.uri] = params.diagnostics

    def _item(self, text: str, language: str) -> types.TextDocumentItem:
        self.made += 1
        uri = f"vscode-notebook-cell:{self.path.as_posix()}#W{self.made}s%3D"
        self.texts[uri], self.versions[uri] = text, 1
        return types.TextDocumentItem(uri, language, 1, text)

    @staticmethod
    def _cell(item: types.TextDocumentItem) -> types.NotebookCell:
        kind = types.NotebookCellKind.Markup if item.language_id == "markdown" else types.NotebookCellKind.Code
        return types.NotebookCell(kind, item.uri)

    def open(self, *texts: str) -> None:
        self.version = 1
        items = [self._item(text, "markdown" if text == TEXT else "python") for text in texts]
        self.cells = [item.uri for item in items]
        document = types.NotebookDocument(self.path.as_uri(), "jupyter-notebook", 1, [self._cell(item) for item in items])
        self.editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(document, items))

    def _changed(self, cells: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        named = types.VersionedNotebookDocumentIdentifier(self.version, self.path.as_uri())
        params = types.DidChangeNotebookDocumentParams(named, types.NotebookDocumentChangeEvent(cells=cells))
        self.editor.client.notebook_document_did_change(params)

    def type(self, number: int, range_: types.Range, text: str) -> None:
        """Replace a piece of a cell."""
        uri = self.cells[number - 1]
        self.texts[uri] = apply(self.texts[uri], [types.TextEdit(range_, text)])
        self.versions[uri] += 1
        named = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        change = types.TextDocumentContentChangePartial(range_, text)
        self._changed(types.NotebookDocumentCellChanges(text_content=[types.NotebookDocumentCellContentChanges(named, [change])]))

    def insert(self, number: int, text: str) -> None:
        item = self._item(text, "python")
        self.cells.insert(number - 1, item.uri)
        array = types.NotebookCellArrayChange(number - 1, 0, [self._cell(item)])
        structure = types.NotebookDocumentCellChangeStructure(array, did_open=[item])
        self._changed(types.NotebookDocumentCellChanges(structure=structure))

    def remove(self, number: int) -> str:
        uri = self.cells.pop(number - 1)
        array = types.NotebookCellArrayChange(number - 1, 1, [])
        structure = types.NotebookDocumentCellChangeStructure(array, did_close=[types.TextDocumentIdentifier(uri)])
        self._changed(types.NotebookDocumentCellChanges(structure=structure))
        return uri

    def close(self) -> None:
        cells = [types.TextDocumentIdentifier(uri) for uri in self.cells]
        named = types.NotebookDocumentIdentifier(self.path.as_uri())
        self.editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(named, cells))

    def codes(self) -> list[list[str]]:
        """The codes in each cell."""
        return [[str(each.code) for each in self.shown.get(uri, ())] for uri in self.cells]

    async def until(self, *codes: list[str]) -> None:
        try:
            await self.editor.until(lambda: self.codes() == list(codes))
        except asyncio.TimeoutError:
            raise AssertionError(f"the cells have {self.codes()}, not {codes}") from None

    async def actions(self, number: int, only: list[str] | None = None) -> list[types.CodeAction]:
        uri = self.cells[number - 1]
        found = list(self.shown.get(uri, ()))
        where = found[0].range if found else types.Range(types.Position(0, 0), types.Position(0, 0))
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, types.CodeActionContext(found, only=only))
        answer = await asyncio.wait_for(self.editor.client.text_document_code_action_async(params), PATIENCE)
        return [action for action in answer or () if isinstance(action, types.CodeAction)]

    def edited(self, action: types.CodeAction) -> list[str]:
        """The texts of the cells after an action."""
        assert action.edit is not None
        assert action.edit.document_changes is not None
        after = dict(self.texts)
        for change in action.edit.document_changes:
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.version == self.versions[change.text_document.uri]
            edits = [edit for edit in change.edits if isinstance(edit, types.TextEdit)]
            after[change.text_document.uri] = apply(after[change.text_document.uri], edits)
        return [after[uri] for uri in self.cells]

    async def hover(self, number: int, line: int, character: int) -> str | None:
        place = types.Position(line, character)
        params = types.HoverParams(types.TextDocumentIdentifier(self.cells[number - 1]), place)
        found = await asyncio.wait_for(self.editor.client.text_document_hover_async(params), PATIENCE)
        assert found is None or isinstance(found.contents, types.MarkupContent)
        return None if found is None else found.contents.value


def at(line: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(line, start), types.Position(line, end))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    (folder / "ranks.py").write_text(HELPER)
    cells = [{"cell_type": "code", "metadata": {}, "source": "x = 1", "outputs": [], "execution_count": None}]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "train.ipynb").write_text(json.dumps(book))
    return folder


@pytest.mark.heavy
def test_a_session(project: Path) -> None:
    async def session() -> None:
        async with editing(project) as editor:
            book = Book(editor, project / "train.ipynb")
            book.open(TEXT, IMPORTS, HANGS, CALLS)
            await book.until([], [], ["TL101"], ["TL101"])
            assert book.cells[0] not in book.shown  # a cell of text
            (here,) = book.shown[book.cells[2]]
            assert here.range == at(2, 4, 18)
            related = [(place.location.uri, place.location.range.start.line) for place in here.related_information or ()]
            assert related == [(book.cells[2], 1)]
            (calls,) = book.shown[book.cells[3]]
            assert [place.location.uri for place in calls.related_information or ()] == [
                book.cells[3],
                (project / "ranks.py").as_uri(),
            ]
            why = await book.hover(3, 2, 8)
            assert why is not None
            assert "[TL101 rank-conditional-collective](" in why
            assert await book.hover(3, 0, 0) is None
            assert await book.hover(2, 2, 8) is None

            # Repairs are made in the cells.
            repair, suppress = await book.actions(3)
            assert book.edited(repair) == [TEXT, IMPORTS, "name = '🦎'\ndist.barrier()", CALLS]
            assert book.edited(suppress)[2] == f"{HANGS}  # trainlint: ignore[TL101]"
            (everything,) = await book.actions(2, ["source.fixAll"])
            assert book.edited(everything)[2] == "name = '🦎'\ndist.barrier()"

            # A change in pieces, behind a character that counts twice.
            book.type(3, at(0, 11, 11), "; y = 2")
            book.type(3, at(1, 22, 23), "1")
            book.type(4, at(0, 0, 24), "if True:")
            await book.until([], [], ["TL101"], [])
            assert "only on the ranks that the test" in book.shown[book.cells[2]][0].message
            assert book.texts[book.cells[2]].startswith("name = '🦎'; y = 2\nif dist.get_rank() == 1:")

            # Cells come and go.
            book.insert(3, "z = 3")
            await book.until([], [], [], ["TL101"], [])
            gone = book.remove(4)
            await editor.until(lambda: not book.shown[gone])
            book.insert(4, CALLS)
            await book.until([], [], [], ["TL101"], [])
            book.remove(3)
            await book.until([], [], ["TL101"], [])

            # What does not parse is said where it stands.
            book.type(4, at(0, 0, 8), "if (:")
            await book.until([], [], [], ["TL001"])
            book.type(4, at(0, 0, 5), "if 1:")
            await book.until([], [], ["TL101"], [])

            # Other files count as they are in the editor; and what is closed has no findings.
            editor.open(project / "ranks.py", "def sync():\n    pass\n")
            await book.until([], [], [], [])
            editor.close(project / "ranks.py")
            await book.until([], [], ["TL101"], [])
            book.close()
            await book.until([], [], [], [])

    asyncio.run(session())
