"""What can be done about findings: repairs, comments, and all safe repairs at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from trainlint.finding import Applicability, Repair
from trainlint.frontends.server.diagnostics import Shown
from trainlint.frontends.server.positions import Units
from trainlint.frontends.server.project import with_comment
from trainlint.frontends.server.texts import edits_between, lines_of

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.trainlint"
KINDS: tuple[types.CodeActionKind | str, ...] = (types.CodeActionKind.QuickFix, FIX_ALL)


class Document(NamedTuple):
    """An open file as the client has it."""

    uri: str
    version: int | None
    path: Path
    text: str
    data: bytes


class Actions:
    """The actions for one document. ``versioned``: the client takes edits that name the version they are for."""

    def __init__(self, document: Document, units: Units, *, versioned: bool) -> None:
        self._document = document
        self._units = units
        self._versioned = versioned
        self._lines = lines_of(document.text)

    def quick_fixes(self, shown: Sequence[Shown], wanted: types.Range) -> Iterator[types.CodeAction]:
        """Repairs and comments for the findings that the range touches."""
        touched = [each for each in shown if _touch(each.diagnostic.range, wanted)]
        for each in touched:
            repair = each.finding.repair
            if repair is not None and repair.applicability is not Applicability.DISPLAY:
                yield self._repair(each, repair)
        for each in touched:
            text = with_comment(self._document.path, self._document.data, each.finding)
            if text is not None:
                yield types.CodeAction(
                    title=f"Suppress {each.finding.code} on this line",
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[each.diagnostic],
                    edit=self._edit(edits_between(self._document.text, text, self._units)),
                )

    def fix_all(self, repaired: str) -> types.CodeAction:
        """The action that makes the text of this one."""
        edits = edits_between(self._document.text, repaired, self._units)
        return types.CodeAction(title="Apply all safe repairs of trainlint", kind=FIX_ALL, edit=self._edit(edits))

    def _repair(self, each: Shown, repair: Repair) -> types.CodeAction:
        safe = repair.applicability is Applicability.SAFE
        edits = [types.TextEdit(self._units.range(edit.span, self._lines), edit.content) for edit in repair.edits]
        return types.CodeAction(
            title=repair.message if safe else f"{repair.message} (unsafe: it may change what the program does)",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[each.diagnostic],
            is_preferred=True if safe else None,
            edit=self._edit(edits),
        )

    def _edit(self, edits: list[types.TextEdit]) -> types.WorkspaceEdit:
        document = self._document
        if not self._versioned:
            return types.WorkspaceEdit(changes={document.uri: edits})
        named = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(named, list(edits))])


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
