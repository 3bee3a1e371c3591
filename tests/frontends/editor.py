"""An editor for the tests: a real client (of pytest-lsp, which also checks what it is sent) and the real program, over stdio.

pytest-lsp is used without its fixtures: these need pytest-asyncio, which warns on every run of a suite whose warnings are errors.
So its plugin stays off (``-p no:asyncio``), and a test is a plain function that runs a coroutine.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0


class Editor:
    """Documents, and what the server said of them. ``versions`` are those that the last diagnostics of a file were for."""

    def __init__(self, capabilities: types.ClientCapabilities, settings: Any = None) -> None:
        self.client = LanguageClient(converter_factory=default_converter)
        self.capabilities = capabilities
        self.settings = settings
        self.texts: dict[Path, str] = {}
        self.numbers: dict[Path, int] = {}
        self.diagnostics: dict[Path, Sequence[types.Diagnostic]] = {}
        self.versions: dict[Path, int | None] = {}
        self.elsewhere: Callable[[types.PublishDiagnosticsParams], None] = lambda _: None  # for documents that are no files
        self.messages: list[str] = []
        self.registered: list[types.Registration] = []
        self.published = self.refreshed = 0
        self.server: types.InitializeResult | None = None
        self._news = asyncio.Event()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._published))
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(partial(self._shown))
        self.client.feature(types.WORKSPACE_CONFIGURATION)(partial(self._asked))
        self.client.feature(types.CLIENT_REGISTER_CAPABILITY)(partial(self._registered))
        self.client.feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)(partial(self._refreshed))

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        if not params.uri.startswith("file:"):
            self.elsewhere(params)
            self._stir()
            return
        path = Path(from_uri(params.uri))
        self.published += 1
        self.diagnostics[path] = params.diagnostics
        self.versions[path] = params.version
        self._stir()

    def _shown(self, params: types.ShowMessageParams) -> None:
        self.messages.append(params.message)
        self._stir()

    def _asked(self, params: types.ConfigurationParams) -> list[Any]:
        return [self.settings for _ in params.items]

    def _registered(self, params: types.RegistrationParams) -> None:
        self.registered += params.registrations
        self._stir()

    def _refreshed(self, _params: None) -> None:
        self.refreshed += 1
        self._stir()

    def _stir(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something that the server says."""

        async def waiting() -> None:
            while not holds():
                await self._news.wait()

        await asyncio.wait_for(waiting(), PATIENCE)

    def open(self, path: Path, text: str | None = None) -> None:
        self.texts[path] = path.read_bytes().decode() if text is None else text
        self.numbers[path] = 1
        item = types.TextDocumentItem(path.as_uri(), "python", 1, self.texts[path])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, path: Path, text: str) -> None:
        self.texts[path] = text
        self.numbers[path] += 1
        document = types.VersionedTextDocumentIdentifier(self.numbers[path], path.as_uri())
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    def save(self, path: Path) -> None:
        path.write_bytes(self.texts[path].encode())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(identified(path)))

    def close(self, path: Path) -> None:
        del self.texts[path]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identified(path)))

    def changed_on_disk(self, *paths: Path) -> None:
        events = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    async def answer(self, path: Path) -> list[str]:
        """The codes in a file, as soon as something was said of its newest version."""
        await self.until(lambda: self.versions.get(path) == self.numbers[path])
        return self.codes(path)

    async def until_codes(self, path: Path, *codes: str) -> None:
        """Wait until just these codes are in a file."""
        try:
            await self.until(lambda: path in self.diagnostics and self.codes(path) == list(codes))
        except asyncio.TimeoutError:
            raise AssertionError(f"{path.name} has {self.codes(path)}, not {codes}") from None

    def codes(self, path: Path) -> list[str]:
        return [str(diagnostic.code) for diagnostic in self.diagnostics.get(path, ())]

    async def pull(self, path: Path) -> list[str]:
        """The codes in a file, as a client gets them that asks."""
        report = await self.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(identified(path)))
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return [str(diagnostic.code) for diagnostic in report.items]

    async def actions(self, path: Path, range_: types.Range, only: list[str] | None = None) -> Sequence[types.CodeAction]:
        context = types.CodeActionContext(list(self.diagnostics.get(path, ())), only=only)
        found = await self.client.text_document_code_action_async(types.CodeActionParams(identified(path), range_, context))
        return [action for action in found or () if isinstance(action, types.CodeAction)]

    async def hover(self, path: Path, line: int, character: int) -> str | None:
        params = types.HoverParams(identified(path), types.Position(line, character))
        found = await self.client.text_document_hover_async(params)
        assert found is None or isinstance(found.contents, types.MarkupContent)
        return None if found is None else found.contents.value

    def edited(self, path: Path, action: types.CodeAction) -> str:
        """The text of a file after an action."""
        assert action.edit is not None
        if action.edit.changes:
            (edits,) = action.edit.changes.values()
        else:
            assert action.edit.document_changes is not None
            (change,) = action.edit.document_changes
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.version == self.numbers[path]
            edits = [edit for edit in change.edits if isinstance(edit, types.TextEdit)]
        return apply(self.texts[path], edits)


@asynccontextmanager
async def editing(
    folder: Path,
    *,
    client: str = "visual-studio-code",
    capabilities: types.ClientCapabilities | None = None,
    encodings: list[types.PositionEncodingKind | str] | None = None,
    options: Any = None,
    settings: Any = None,
) -> AsyncIterator[Editor]:
    """An editor that has a folder open; at its end the server must end well."""
    can = client_capabilities(client) if capabilities is None else capabilities
    if encodings is not None:
        can.general = types.GeneralClientCapabilities(position_encodings=encodings)
    editor = Editor(can, settings)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}  # or it would import the files it checks
    await editor.client.start_io(sys.executable, "-W", "error", "-m", "trainlint", "server", env=environment, cwd=folder)
    process = editor.client._server
    assert process is not None
    folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
    params = types.InitializeParams(can, root_uri=folder.as_uri(), workspace_folders=folders, initialization_options=options)
    try:
        editor.server = await asyncio.wait_for(editor.client.initialize_session(params), PATIENCE)
        yield editor
        await asyncio.wait_for(editor.client.shutdown_session(), PATIENCE)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    finally:
        if process.returncode is None:
            process.kill()
        await editor.client.stop()


def identified(path: Path) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(path.as_uri())


def from_uri(uri: str) -> str:
    from pygls.uris import to_fs_path

    path = to_fs_path(uri)
    assert path is not None
    return path


def apply(text: str, edits: Sequence[types.TextEdit]) -> str:
    """The text after edits whose positions count UTF-16, as editors do it."""
    starts = [0, *(end.end() for end in re.finditer(r"\r\n?|\n", text))]

    def index(position: types.Position) -> int:
        start = starts[position.line]
        units = text[start:].encode("utf-16-le")[: 2 * position.character]
        return start + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        text = text[: index(edit.range.start)] + edit.new_text + text[index(edit.range.end) :]
    return text
