"""What the server does when the client says or asks something: one function for each."""

from __future__ import annotations

from lsprotocol import types

from trainlint.frontends.server import actions
from trainlint.frontends.server.app import Server
from trainlint.frontends.server.hover import hover_at
from trainlint.frontends.server.places import settings_in


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


async def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    """Show the page of the rule."""
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
