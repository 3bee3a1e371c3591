"""The server: what it answers to a client. Documents, cancelled requests and the position encoding are pygls's business."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from trainlint import __version__
from trainlint.config import ConfigError, Overrides
from trainlint.config.search import OWN_NAMES
from trainlint.frontends.server.diagnostics import Shown, Teller, uri_of
from trainlint.frontends.server.documents import NOTEBOOKS, Opened, keep_cells, of_notebook, of_script
from trainlint.frontends.server.places import Place, overrides_of, place_of
from trainlint.frontends.server.positions import Units
from trainlint.frontends.server.project import Project
from trainlint.frontends.server.work import Answered, Buffer, Threads, Work
from trainlint.knowledge import KnowledgeError

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
        self._told: str | None = None
        self.told_to_end = False

    # -- about the client ------------------------------------------------------------------------------------------

    @property
    def units(self) -> Units:
        """The units of positions that were agreed on."""
        encoding = self.workspace.position_encoding
        return Units(encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding or "utf-16")

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
            shown = [each.diagnostic for each in answered.shown]
            self._tell(self._uris.get(path) or uri_of(path), shown, answered.version)
            return
        for number, cell in enumerate(notebook.cells, 1):
            if cell.kind is types.NotebookCellKind.Code:
                self._tell(cell.document, [each.diagnostic for each in answered.shown if each.finding.cell == number], None)

    def _tell(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

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
        names = {os.path.basename(path) for path in map(path_of, uris) if path is not None}  # noqa: PTH119
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
    return None if path is None else os.path.abspath(path)  # noqa: PTH100 - links keep their names


def serve() -> int:
    """Serve one client over stdin and stdout, until it says to exit; the exit code is the one that the protocol asks for."""
    from trainlint.frontends.server.features import add_features

    gc.disable()  # the work on projects collects when nobody waits
    server = Server()
    add_features(server)
    # A stray print must not get between the messages, and pygls closes what it writes to.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stdout:
        sys.stdout = sys.stderr
        server.start_io(stdout=stdout)
    return 0 if server.told_to_end else 1
