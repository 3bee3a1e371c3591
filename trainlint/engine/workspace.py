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

    Its words (of one that will be parsed those that are asked for), the imports of one that sleeps, whether it is a notebook,
    and whether it has comments for us.
    """

    words: frozenset[bytes]
    imports: Imports | None
    notebook: bool
    commented: bool


class Triage(NamedTuple):
    """What the words of all files say.

    The identifiers of scripts and notebooks, the imports of those that sleep, the targets with comments for us, and which
    words of those asked for each file holds.
    """

    scripts: dict[str, frozenset[bytes]]
    notebooks: dict[str, frozenset[bytes]]
    imports: dict[str, Imports]
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
        """Look at the words of every readable file; ``telling`` says of them whether the file will be parsed.

        Of the words of such a file only those that are ``asked`` for are kept. ``looks`` are those of such files that are known
        already; the others are added.
        """
        found = Triage({}, {}, {}, [], {})
        for path in list(self.spelled):
            if path in self.documents:
                continue
            look = looks.get(path) or self._look(path, telling, asked)
            if look is None:
                continue
            found.held[path] = look.words if look.imports is None else look.words & asked  # a sleeping file may be woken
            if look.imports is not None:
                found.imports[path] = look.imports
            else:
                looks[path] = look
            (found.notebooks if look.notebook else found.scripts)[path] = look.words
            if look.commented and path in self.targets:
                found.commented.append(path)
        return found

    def _look(self, path: str, telling: Telling, asked: frozenset[bytes]) -> Look | None:
        source = self.read(path)
        if source is None:
            return None
        data = source.code.encode("utf-8", "replace") if source.is_notebook else source.data
        known = telling.words(data)
        awake = telling.tells(known)
        commented = b"trainlint:" in source.data or b"noqa" in source.data.lower()
        return Look(known & asked if awake else known, None if awake else imports(data), source.is_notebook, commented)
