"""The files of one run: what they hold, as read from disk or as a repair or an editor has changed them.

Also what is said of those that could not be looked at (a file of which there is no model, a function that is beyond the limits
of an analysis), and where the findings of notebooks are in their files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainlint.finding import Edit, Repair, Span
from trainlint.regular import absolute_path
from trainlint.source.text import Source, UnparsableSource, UnreadableSource, read_bytes
from trainlint.source.triage import Imports, Telling, imports

if TYPE_CHECKING:
    from trainlint.ir.sketch import Function
    from trainlint.source.notebook import JsonLines

_CODES = {"unreadable": "TL001", "old-syntax": "TL001", "too-complex": "TL004", "newer-syntax": "TL006"}
SKIPPED = ": it was not analysed"
"""What is added to a sentence about a file that is no mistake of the file."""


class Trouble(NamedTuple):
    """The code to report it under, the whole sentence, the place (1-based line and column, in characters).

    ``old``: the file is Python 2, which is a mistake only where somebody means to train with it.
    """

    code: str
    message: str
    line: int
    column: int
    old: bool = False


def unreadable(error: UnreadableSource) -> Trouble:
    """The trouble with a file whose text cannot be had."""
    outcome = "" if error.kind == "unreadable" else SKIPPED
    return Trouble(_CODES[error.kind], f"the file {error.message}{outcome}", error.line or 1, 1)


def unparsable(error: UnparsableSource) -> Trouble:
    """The trouble with a file whose text has no syntax tree."""
    if error.kind == "newer-syntax":
        running = ".".join(map(str, sys.version_info[:2]))
        message = f"the file needs a newer Python than the {running} that runs trainlint{SKIPPED}"
    elif error.kind == "too-complex":
        # Either a predicate of the file or what the parser said of its own limits ("too many nested parentheses").
        is_predicate = error.message.startswith("is ")
        message = f"the file {error.message}{SKIPPED}" if is_predicate else f"{error.message}: the file was not analysed"
    else:
        message = f"syntax error: {error.message}{' (this is Python 2)' if error.kind == 'old-syntax' else ''}"
    return Trouble(_CODES[error.kind], message, error.line, error.column, old=error.kind == "old-syntax")


def not_judged(function: Function, limit: str, about: str, *, more: bool) -> Trouble:
    """The trouble with a function that was not judged: ``limit`` says what there was too much of, ``about`` what was not judged.

    ``more``: it is not the only one of the file.
    """
    name = "the top level of the file" if function.kind == "module" else f"`{function.name}`"
    who = f"{name} and other functions of the file were" if more else f"{name} was"
    message = f"{who} not checked for {about}: {limit}"
    return Trouble("TL004", message, function.spot.line, function.spot.column + 1)


class Look(NamedTuple):
    """What triage sees of one file.

    Which of the words that are asked for it holds, whether these tell of something that a rule may find, its imports, and whether
    it has comments for us.
    """

    words: frozenset[bytes]
    telling: bool
    imports: Imports
    commented: bool


class Triage(NamedTuple):
    """What the words of all files say.

    The imports of each file, those that are telling, the targets with comments for us, and which words of those asked for each
    file holds.
    """

    imports: dict[str, Imports]
    telling: list[str]
    commented: list[str]
    held: dict[str, frozenset[bytes]]


class Workspace:
    """Files by absolute path. Sources are read when asked for and not kept, except those that were replaced."""

    def __init__(self, targets: Iterable[Path], context: Iterable[Path]) -> None:
        self.spelled: dict[str, Path] = {}
        self.targets: dict[str, None] = {}
        self.replaced: dict[str, bytes] = {}
        self.originals: dict[str, Source] = {}
        self.troubles: dict[str, Trouble] = {}
        self._kept: dict[str, Source] = {}
        for path in targets:
            self.targets[self._add(path)] = None
        for path in context:
            self._add(path)
        #: The files beside the Python, which are read as what they are; those that are checked are among the targets.
        self.documents: set[str] = set()

    def add_documents(self, targets: Iterable[Path], context: Iterable[Path]) -> None:
        """Files beside the Python belong to the run too: to be checked, or to be known of."""
        for path in targets:
            self.targets[self._add(path)] = None
            self.documents.add(absolute_path(path))
        for path in context:
            self.documents.add(self._add(path))

    def _add(self, path: Path) -> str:
        absolute = absolute_path(path)
        self.spelled.setdefault(absolute, path)
        return absolute

    def replace(self, path: str, data: bytes) -> None:
        """Let a file hold something else than it does on disk."""
        self.replaced[path] = data
        self.troubles.pop(path, None)
        self._kept.pop(path, None)

    def set_back(self, files: AbstractSet[str], changed: Mapping[str, bytes]) -> None:
        """Let there be only these files, and let those that have ``changed`` hold what they held before."""
        self.spelled = {path: spelled for path, spelled in self.spelled.items() if path in files}
        self.targets = dict.fromkeys(path for path in self.targets if path in files)
        self.documents &= files
        for path in changed.keys() & self.spelled.keys():
            self.replace(path, changed[path])

    def restore(self, path: str) -> None:
        """Let a file hold again what it does on disk."""
        self.replaced.pop(path, None)
        self.troubles.pop(path, None)
        self._kept.pop(path, None)

    def read(self, path: str) -> Source | None:
        """The source of a file; None (and a trouble) when its text cannot be had."""
        kept = self._kept.get(path)
        if kept is not None:
            return kept
        try:
            data = self.replaced.get(path)
            return Source.from_bytes(Path(path), data) if data is not None else Source.read(Path(path))
        except UnreadableSource as error:
            self.troubles[path] = unreadable(error)
            return None

    def data(self, path: str) -> bytes:
        """The bytes of a file, which are not decoded; none (and a trouble) when it cannot be read."""
        kept = self._kept.get(path)
        if kept is not None:
            return kept.data
        try:
            return self.replaced[path] if path in self.replaced else read_bytes(Path(path))
        except UnreadableSource as error:
            self.troubles[path] = unreadable(error)
            return b""

    def keep(self, path: str) -> Source | None:
        """The source of a file that will be asked for again (it has findings)."""
        source = self.read(path)
        if source is not None:
            self._kept[path] = source
        return source

    def triage(self, telling: Telling, asked: frozenset[bytes], looks: dict[str, Look]) -> Triage:
        """Look at the words of every readable file; ``telling`` says what they tell.

        Of the words only those that are ``asked`` for are kept. ``looks`` are those of files that are known already; the others
        are added.
        """
        found = Triage({}, [], [], {})
        for path in list(self.spelled):
            if path in self.documents:
                continue
            look = looks.get(path) or self._look(path, telling, asked)
            if look is None:
                continue
            looks[path] = look
            found.held[path] = look.words
            found.imports[path] = look.imports
            if look.telling:
                found.telling.append(path)
            if look.commented and path in self.targets:
                found.commented.append(path)
        return found

    def _look(self, path: str, telling: Telling, asked: frozenset[bytes]) -> Look | None:
        source = self.read(path)
        if source is None:
            return None
        data = source.code.encode("utf-8", "replace") if source.is_notebook else source.data
        known = telling.words(data)
        commented = b"trainlint:" in source.data or b"noqa" in source.data.lower()
        return Look(known & asked, telling.tells(known), imports(data), commented)


class NotebookPlaces:
    """Places in the notebooks of a workspace. Made for :class:`trainlint.app.engine.result.InFile`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lines: dict[str, JsonLines | None] = {}

    def span(self, path: Path, cell: int, span: Span) -> Span | None:
        """The place in the file's own lines of a place in a 1-based cell; None when it cannot be had."""
        lines = self._json(path)
        return None if lines is None else lines.span(cell, span)

    def edits(self, path: Path, repair: Repair) -> tuple[Edit, ...] | None:
        """A repair as edits of the file's own lines; None when it cannot be had."""
        from trainlint.edits.notebooks import json_edits

        lines = self._json(path)
        return None if lines is None else json_edits(lines, repair.edits)

    def _json(self, path: Path) -> JsonLines | None:
        from trainlint.source.notebook import JsonLines

        name = absolute_path(path)
        if name not in self._lines:
            source = self._workspace.keep(name)
            self._lines[name] = JsonLines(source.text) if source is not None and source.is_notebook else None
        return self._lines[name]
