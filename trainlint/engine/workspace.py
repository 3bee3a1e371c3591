"""The files of one run: what they hold, as read from disk or as a repair or an editor has changed them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from trainlint.engine.trouble import Trouble, unreadable
from trainlint.source.errors import UnreadableSource
from trainlint.source.text import Source
from trainlint.source.triage import Imports, Telling, imports


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
            self.documents.add(os.path.abspath(path))  # noqa: PTH100
        for path in context:
            self.documents.add(self._add(path))

    def _add(self, path: Path) -> str:
        absolute = os.path.abspath(path)  # noqa: PTH100 - links keep their names
        self.spelled.setdefault(absolute, path)
        return absolute

    def replace(self, path: str, data: bytes) -> None:
        """Let a file hold something else than it does on disk."""
        self.replaced[path] = data
        self.troubles.pop(path, None)
        self._kept.pop(path, None)

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
