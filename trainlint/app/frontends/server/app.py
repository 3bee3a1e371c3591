"""The server: what it does when the client says or asks something, one function for each message.

Documents, cancelled requests and the position encoding are pygls's business.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePath
from typing import Any, NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from trainlint import __version__
from trainlint.app.frontends.server import actions
from trainlint.app.frontends.server.diagnostics import Shown, Teller, hover_at, uri_of
from trainlint.app.frontends.server.documents import NOTEBOOKS, Opened, Units, keep_cells, of_notebook, of_script
from trainlint.app.frontends.server.project import Place, Project, overrides_of, place_of, settings_in
from trainlint.app.frontends.server.work import Answered, Buffer, Threads, Work
from trainlint.config import ConfigError, Overrides
from trainlint.config.find import OWN_NAMES
from trainlint.knowledge import KnowledgeError
from trainlint.regular import absolute_path

_FULL = types.TextDocumentSyncKind.Full
_LOG = logging.getLogger(__name__)
_CONFIGURATION = frozenset({*OWN_NAMES, "pyproject.toml"})
_WATCHED = ("**/*.py", "**/*.ipynb", "**/.gitignore", *(f"**/{name}" for name in sorted(_CONFIGURATION)))
#: Seconds to wait for further changes on the disk.
_DISK_PAUSE = 0.3


class Judged(NamedTuple):
    """An open file, what is shown of the document or cell that was asked for, and the work on its project."""

    opened: Opened
    shown: list[Shown]
    work: Work


class Server(LanguageServer):
    """One client's server, with the projects whose files it has open."""

    def __init__(self) -> None:
        # The whole text with each change: pygls counts lines that the protocol does not have (at form feeds and others).
        super().__init__("trainlint", __version__, text_document_sync_kind=_FULL, notebook_document_sync=NOTEBOOKS)
        self._threads = Threads(ThreadPoolExecutor(1, "trainlint-whole"), ThreadPoolExecutor(1, "trainlint-near"))
        self._overrides = Overrides()
        self._works: dict[tuple[Path, Path | None], Work] = {}
        self._places: dict[str, Place] = {}
        self._uris: dict[str, str] = {}
        self._published: dict[str, tuple[list[types.Diagnostic], int | None]] = {}
        self._pulled: dict[str, tuple[list[types.Diagnostic], int | None]] = {}
        self._told: str | None = None
        self.told_to_end = False

    # -- about the client ------------------------------------------------------------------------------------------

    @property
    def units(self) -> Units:
        """The units of positions that were agreed on."""
        encoding = self.workspace.position_encoding
        return Units(encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding or "utf-16")

    @property
    def pulls(self) -> bool:
        """Whether the client asks for the diagnostics of open files (LSP 3.17), and can be told to ask again.

        A change in one file may change what is found in another: who cannot be told to ask again gets all of it published.
        """
        text_document, workspace = self.client_capabilities.text_document, self.client_capabilities.workspace
        asks = text_document is not None and text_document.diagnostic is not None
        return asks and bool(workspace and workspace.diagnostics and workspace.diagnostics.refresh_support)

    def _teller(self) -> Teller:
        text_document = self.client_capabilities.text_document
        return Teller(self.units, text_document.publish_diagnostics if text_document else None, self._cell)

    def say(self, message: str | None) -> None:
        """Show a mistake of the configuration, once; None: there is none any more."""
        if message is not None and message != self._told:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"trainlint: {message}"))
        self._told = message

    def configure(self, given: object) -> None:
        """Take the client's settings."""
        try:
            self._overrides = overrides_of(given)
        except ConfigError as error:
            self.say(str(error))
            return
        self.reload()

    # -- documents -------------------------------------------------------------------------------------------------

    def update(self, uri: str) -> None:
        """A document or notebook was opened or changed."""
        path = path_of(uri)
        opened = self.opened(uri)
        if path is None or opened is None:
            return
        self._uris[path] = uri
        work = self._work(path)
        if work is not None:
            work.set(path, Buffer(opened.data, opened.version))

    def saved(self, uri: str) -> None:
        """A document or notebook was saved."""
        path = path_of(uri)
        place = None if path is None else self._places.get(path)
        if place is not None:
            self._works[place.key].judge_after(0.0)

    def close(self, uri: str) -> None:
        """A document was closed: the file on disk counts again."""
        path = path_of(uri)
        place = None if path is None else self._places.pop(path, None)
        if path is None or place is None:
            return
        self._works[place.key].set(path, None)
        self._publish(path, Answered([], None))
        self._pulled.pop(uri, None)
        self._uris.pop(path, None)

    def opened(self, uri: str) -> Opened | None:
        """The open file of a document, cell or notebook; None when there is none, or it is not Python."""
        document = self.workspace.text_documents.get(unquote(uri))
        notebook = self.workspace.get_notebook_document(notebook_uri=uri) or self.workspace.get_notebook_document(cell_uri=uri)
        path = path_of(uri if notebook is None else notebook.uri)
        if path is None:
            return None
        if notebook is not None:
            keep_cells(self.workspace, notebook, self.units)
            return of_notebook(Path(path), notebook, self.workspace, uri)
        if document is None or not _is_python(path, document.language_id):
            return None
        return of_script(Path(path), document)

    async def judged(self, uri: str) -> Judged | None:
        """What is shown of a document or cell as it is now, once that is known; None when it was closed or changed meanwhile."""
        opened = self.opened(uri)
        place = None if opened is None else self._places.get(str(opened.path))
        if opened is None or place is None:
            return None
        work = self._works[place.key]
        answered = await work.current(str(opened.path))
        opened = self.opened(uri)
        if answered is None or opened is None or opened.version != answered.version:
            return None
        return Judged(opened, [each for each in answered.shown if each.finding.cell == opened.here], work)

    def _cell(self, path: str, number: int) -> str | None:
        """The URI of a cell of an open notebook."""
        notebook = self._notebook(path)
        return notebook.cells[number - 1].document if notebook is not None and number <= len(notebook.cells) else None

    def _notebook(self, path: str) -> types.NotebookDocument | None:
        uri = self._uris.get(path)
        return None if uri is None else self.workspace.get_notebook_document(notebook_uri=uri)

    def _work(self, path: str) -> Work | None:
        place = self._places.get(path)
        if place is None:
            place = self._place(path)
            if place is None:
                return None
            self._places[path] = place
        work = self._works.get(place.key)
        if work is None:
            try:
                project = Project(place.root, place.folders, place.settings)
            except KnowledgeError as error:
                self.say(str(error))
                del self._places[path]
                return None
            work = self._works[place.key] = Work(project, self._threads, self._teller(), self._publish)
        return work

    def _place(self, path: str) -> Place | None:
        folders = [path_of(folder.uri) for folder in self.workspace.folders.values()]
        try:
            place = place_of(path, [folder for folder in folders if folder is not None], self._overrides)
        except ConfigError as error:
            self.say(str(error))
            return None
        self.say(None)
        return place

    def _publish(self, path: str, answered: Answered) -> None:
        notebook = self._notebook(path)
        if notebook is None:
            uri = self._uris.get(path)
            shown = [each.diagnostic for each in answered.shown]
            if uri is not None and answered.version is not None and self.pulls:
                known, version = self._pulled.get(uri, (shown, None))
                if version == answered.version and known != shown:
                    self.workspace_diagnostic_refresh(None)
                shown = []
            self._tell(uri or uri_of(path), shown, answered.version)
            return
        for number, cell in enumerate(notebook.cells, 1):
            if cell.kind is types.NotebookCellKind.Code:
                self._tell(cell.document, [each.diagnostic for each in answered.shown if each.finding.cell == number], None)

    def _tell(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        if self._published.get(uri) == (diagnostics, version):
            return  # the project was judged as well, and nothing is new
        self._published[uri] = (diagnostics, version)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    async def pulled(self, uri: str) -> list[types.Diagnostic]:
        """What a client that asks itself is to show of a document as it is now; nothing where it is published."""
        while self.pulls and self.workspace.get_notebook_document(cell_uri=uri) is None and self.opened(uri) is not None:
            known = await self.judged(uri)
            if known is not None:
                shown = [each.diagnostic for each in known.shown]
                self._pulled[uri] = (shown, known.opened.version)
                return shown
        return []

    def clear(self, uris: Iterable[str]) -> None:
        """Documents that nothing is shown of any more."""
        for uri in uris:
            self._tell(uri, [], None)

    # -- what changes beside the documents ---------------------------------------------------------------------------

    def reload(self) -> None:
        """The configuration may have changed: projects whose settings did are begun anew, the others are left alone.

        While a configuration has mistakes, the one from before stays in force.
        """
        documents = (*self.workspace.text_documents.values(), *self.workspace.notebook_documents.values())
        uris = [document.uri for document in documents]
        paths = {path: uri for path, uri in ((path_of(uri), uri) for uri in uris) if path is not None}
        for path in paths:
            before, now = self._places.get(path), self._place(path)
            if now is not None and now != before:
                if before is not None:
                    self._leave(before)
                self._places[path] = now
        for path, uri in paths.items():
            place = self._places.get(path)
            if place is not None and path not in self._open_in(place):
                self.update(uri)

    def _open_in(self, place: Place) -> frozenset[str]:
        work = self._works.get(place.key)
        return frozenset() if work is None else work.open

    def _leave(self, place: Place) -> None:
        work = self._works.pop(place.key, None)
        if work is not None:
            work.end()
            for path in work.answers.keys() - work.open:
                self._publish(path, Answered([], None))

    def on_disk(self, uris: list[str]) -> None:
        """Files were changed, made or deleted, by the editor or by others."""
        names = {PurePath(path).name for path in map(path_of, uris) if path is not None}
        if not names.isdisjoint(_CONFIGURATION):
            self.reload()
        if names - _CONFIGURATION:
            for work in self._works.values():
                work.judge_after(_DISK_PAUSE)

    def shutdown(self) -> None:
        """End, and wait for nothing."""
        for work in self._works.values():
            work.end()
        for thread in self._threads:
            thread.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]

    async def watch_files(self) -> None:
        """Ask the client to tell of files on the disk, and of its settings."""
        workspace = self.client_capabilities.workspace
        wanted = []
        if workspace and workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            wanted.append(types.Registration("trainlint-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
        if workspace and workspace.did_change_configuration and workspace.did_change_configuration.dynamic_registration:
            section = types.DidChangeConfigurationRegistrationOptions(section="trainlint")
            wanted.append(types.Registration("trainlint-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
        if wanted:
            try:
                await self.client_register_capability_async(types.RegistrationParams(wanted))
            except JsonRpcException as error:
                _LOG.warning("the client does not tell of changed files: %s", error)

    async def ask_settings(self) -> Any:
        """The client's settings, if it can be asked for them; None otherwise."""
        workspace = self.client_capabilities.workspace
        if not (workspace and workspace.configuration):
            return None
        items = [types.ConfigurationItem(section="trainlint")]
        try:
            answer = await self.workspace_configuration_async(types.ConfigurationParams(items))
        except JsonRpcException as error:
            _LOG.warning("the client does not tell its settings: %s", error)
            return None
        return answer[0] if answer else None


def _is_python(path: str, language: str | None) -> bool:
    """Whether a document is a file of Python code: no stub, which has none, and no notebook, which is not sent as one text."""
    return not path.endswith((".pyi", ".ipynb")) and (path.endswith(".py") or language == "python")


def path_of(uri: str) -> str | None:
    """The absolute path of a document; None for one that is not a file."""
    if not uri.startswith("file:"):
        return None
    path: str | None = to_fs_path(uri)
    return None if path is None else absolute_path(path)


def serve() -> int:
    """Serve one client over stdin and stdout, until it says to exit; the exit code is the one that the protocol asks for."""
    gc.disable()  # the work on projects collects when nobody waits
    server = Server()
    add_features(server)
    # A stray print must not get between the messages, and pygls closes what it writes to.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stdout:
        sys.stdout = sys.stderr
        server.start_io(stdout=stdout)
    return 0 if server.told_to_end else 1


def add_features(server: Server) -> None:
    """Let the server answer."""
    server.feature(types.INITIALIZED)(initialized)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(notebook_did_open)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(notebook_did_change)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(notebook_did_save)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(notebook_did_close)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_watched_files)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(did_change_workspace_folders)
    server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, types.DiagnosticOptions(True, False, "trainlint"))(diagnostic)
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=list(actions.KINDS)))(code_action)
    server.feature(types.INITIALIZE)(initialize)
    server.feature(types.SHUTDOWN)(shutdown)


def initialize(server: Server, params: types.InitializeParams) -> None:
    """Take the settings that the client begins with."""
    server.configure(settings_in(params.initialization_options))


def shutdown(server: Server, _params: None) -> None:
    """Remember that the end was announced: without that, the protocol calls it an error."""
    server.told_to_end = True


async def initialized(server: Server, _params: types.InitializedParams) -> None:
    """Ask for what is not sent by itself."""
    given = settings_in(await server.ask_settings())
    if given is not None:
        server.configure(given)
    await server.watch_files()


def did_open(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Judge the file with its project."""
    server.update(params.text_document.uri)


def did_change(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Answer at once from what is near, and from the whole project when the changes stop."""
    server.update(params.text_document.uri)


def did_save(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Judge the whole project now."""
    server.saved(params.text_document.uri)


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Take the file's findings away."""
    server.close(params.text_document.uri)


def notebook_did_open(server: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    """Judge the notebook with its project."""
    server.update(params.notebook_document.uri)


def notebook_did_change(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    """Judge it again when the changes stop; cells that are gone have no findings any more."""
    cells = params.change.cells
    if cells is not None and cells.structure is not None:
        server.clear([cell.uri for cell in cells.structure.did_close or ()])
    server.update(params.notebook_document.uri)


def notebook_did_save(server: Server, params: types.DidSaveNotebookDocumentParams) -> None:
    """Judge the whole project now."""
    server.saved(params.notebook_document.uri)


def notebook_did_close(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """Take its findings away."""
    server.clear([cell.uri for cell in params.cell_text_documents])
    server.close(params.notebook_document.uri)


async def did_change_configuration(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Take new settings, those that came or those that must be asked for."""
    asked = await server.ask_settings()
    server.configure(settings_in(params.settings if asked is None else asked))


def did_change_watched_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Look again at what has changed on the disk."""
    server.on_disk([change.uri for change in params.changes])


def did_change_workspace_folders(server: Server, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Files may belong to other projects now."""
    server.reload()


async def diagnostic(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """Give the findings in a document to a client that asks for them."""
    return types.RelatedFullDocumentDiagnosticReport(await server.pulled(params.text_document.uri))


async def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    """Show why the finding is one, with a link to the page of its rule."""
    known = await server.judged(params.text_document.uri)
    if known is None:
        return None
    text_document = server.client_capabilities.text_document
    formats = text_document.hover.content_format if text_document and text_document.hover else None
    markdown = formats is None or types.MarkupKind.Markdown in formats
    return hover_at(params.position, known.shown, markdown=markdown)


async def code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Offer repairs and comments, for the text as it is now."""
    uri = params.text_document.uri
    known = await server.judged(uri)
    if known is None:
        return []
    opened, shown, work = known
    workspace = server.client_capabilities.workspace
    edits = workspace.workspace_edit if workspace else None
    offered = actions.Actions(opened, server.units, versioned=bool(edits and edits.document_changes))
    only = params.context.only
    result: list[types.CodeAction] = []
    if actions.wants(only, types.CodeActionKind.QuickFix.value):
        result += offered.quick_fixes(shown, params.range)
    if actions.wants(only, actions.FIX_ALL):
        repaired = await work.repaired(str(opened.path))
        if repaired is not None and server.opened(uri) == opened:
            result.append(offered.fix_all(repaired))
    return result
