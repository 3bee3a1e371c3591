"""What can be done about findings: repairs, comments, and all safe repairs at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from lsprotocol import types

from trainlint.app.frontends.server.diagnostics import Shown
from trainlint.app.frontends.server.documents import Opened, Units, edits_between, lines_of, texts_in
from trainlint.app.frontends.server.project import with_comment
from trainlint.finding import Applicability, Repair

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.trainlint"
KINDS: tuple[types.CodeActionKind | str, ...] = (types.CodeActionKind.QuickFix, FIX_ALL)

_Edits: TypeAlias = "dict[int | None, list[types.TextEdit]]"


class Actions:
    """The actions for one document of an open file. ``versioned``: the client takes edits that name the version they are for."""

    def __init__(self, opened: Opened, units: Units, *, versioned: bool) -> None:
        self._opened = opened
        self._units = units
        self._versioned = versioned

    def quick_fixes(self, shown: Sequence[Shown], wanted: types.Range) -> Iterator[types.CodeAction]:
        """Repairs and comments for the findings that the range touches."""
        touched = [each for each in shown if _touch(each.diagnostic.range, wanted)]
        for each in touched:
            repair = each.finding.repair
            if repair is not None and repair.applicability is not Applicability.DISPLAY:
                yield self._repair(each, repair)
        for each in touched:
            text = with_comment(self._opened.path, self._opened.data, each.finding)
            if text is not None:
                yield types.CodeAction(
                    title=f"Suppress {each.finding.code} on this line",
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[each.diagnostic],
                    edit=self._edit(self._between(text)),
                )

    def fix_all(self, repaired: str) -> types.CodeAction:
        """The action that makes the file's text this one."""
        return types.CodeAction(
            title="Apply all safe repairs of trainlint", kind=FIX_ALL, edit=self._edit(self._between(repaired))
        )

    def _repair(self, each: Shown, repair: Repair) -> types.CodeAction:
        safe = repair.applicability is Applicability.SAFE
        edits: _Edits = {}
        for edit in repair.edits:
            lines = lines_of(self._opened.documents[edit.cell].text)
            edits.setdefault(edit.cell, []).append(types.TextEdit(self._units.range(edit.span, lines), edit.content))
        return types.CodeAction(
            title=repair.message if safe else f"{repair.message} (unsafe: it may change what the program does)",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[each.diagnostic],
            is_preferred=True if safe else None,
            edit=self._edit(edits),
        )

    def _between(self, text: str) -> _Edits:
        """The edits that make this of the file."""
        documents = self._opened.documents
        now: dict[int | None, str] = {None: text}
        if None not in documents:
            now.update(enumerate(texts_in(text), 1))
        return {cell: edits_between(documents[cell].text, now[cell], self._units) for cell in documents if cell in now}

    def _edit(self, edits: _Edits) -> types.WorkspaceEdit:
        made = [(self._opened.documents[cell], changes) for cell, changes in edits.items() if changes]
        if not self._versioned:
            return types.WorkspaceEdit(changes={document.uri: changes for document, changes in made})
        named = [(types.OptionalVersionedTextDocumentIdentifier(one.uri, one.version), changes) for one, changes in made]
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(name, list(changes)) for name, changes in named])


def wants(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Whether a client that asks for these kinds (None: for what a person may want here) wants this one."""
    if only is None:
        return kind == types.CodeActionKind.QuickFix.value
    asked = [each.value if isinstance(each, types.CodeActionKind) else each for each in only]
    return any(each in ("", kind) or kind.startswith(f"{each}.") for each in asked)


def _touch(one: types.Range, other: types.Range) -> bool:
    return _before(one.start, other.end) and _before(other.start, one.end)


def _before(one: types.Position, other: types.Position) -> bool:
    return (one.line, one.character) <= (other.line, other.character)
