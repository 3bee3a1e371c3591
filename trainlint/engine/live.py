"""The files of a project that is kept in memory: what is on disk, under what an editor holds and has not saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from trainlint.engine.workspace import Triage, Workspace
from trainlint.source.triage import Imports, imports, words


class _Look(NamedTuple):
    """What triage saw of a file when it had this stamp; ``words`` is None for a file that cannot be read."""

    stamp: object
    words: frozenset[bytes] | None
    imports: Imports | None
    notebook: bool
    commented: bool


class LiveWorkspace(Workspace):
    """A workspace that lives on. Files are looked at again only when their time, size or buffer has changed.

    ``changed`` is called with the path of a file that is not what it was.
    """

    def __init__(self, changed: Callable[[str], None]) -> None:
        super().__init__([], [])
        self._changed = changed
        self._looks: dict[str, _Look] = {}

    def set_files(self, targets: Iterable[str], files: Iterable[Path]) -> None:
        """Say which files there are, and which of them (also such as are not among ``files``) are to be checked."""
        self.spelled = {}
        for file in files:
            self._add(file)
        self.targets = dict.fromkeys(targets)
        for path in self.targets:
            self.spelled.setdefault(path, Path(path))
        for path in [path for path in self._looks if path not in self.spelled]:
            self._drop(path)

    def set_buffer(self, path: str, data: bytes | None) -> None:
        """Let an editor's text stand for a file; None: the file on disk counts again."""
        self._drop(path)
        if data is None:
            self.replaced.pop(path, None)
        else:
            self.replaced[path] = data

    def _drop(self, path: str) -> None:
        self._looks.pop(path, None)
        self._kept.pop(path, None)
        self.troubles.pop(path, None)
        self._changed(path)

    def _stamp(self, path: str) -> object:
        """Something that is another thing when the file is."""
        data = self.replaced.get(path)
        if data is not None:
            return id(data)
        try:
            about = os.stat(path)  # noqa: PTH116 - asked of every file of the project again and again
        except (OSError, ValueError):
            return None
        return about.st_mtime_ns, about.st_size, about.st_ino

    def triage(self, wakes: Callable[[frozenset[bytes]], bool], asked: frozenset[bytes]) -> Triage:
        """As it is done for a run, but of files that did not change what is known of them is taken."""
        found = Triage({}, {}, {}, [], set())
        for path in list(self.spelled):
            look = self._look(path, wakes, asked)
            if look.words is None:
                continue
            found.present.update(look.words if look.imports is None else look.words & asked)
            if look.imports is not None:
                found.imports[path] = look.imports
            (found.notebooks if look.notebook else found.scripts)[path] = look.words
            if look.commented and path in self.targets:
                found.commented.append(path)
        return found

    def _look(self, path: str, wakes: Callable[[frozenset[bytes]], bool], asked: frozenset[bytes]) -> _Look:
        stamp = self._stamp(path)
        known = self._looks.get(path)
        if known is not None and known.stamp == stamp:
            return known
        self._drop(path)
        source = self.read(path)
        if source is None:
            look = _Look(stamp, None, None, notebook=False, commented=False)
        else:
            data = source.code.encode("utf-8", "replace") if source.is_notebook else source.data
            seen = words(data)
            awake = wakes(seen)
            commented = b"trainlint:" in source.data or b"noqa" in source.data.lower()
            # An awake file's words are not asked for beyond these; a sleeping one may still be woken by any of its own.
            look = _Look(stamp, seen & asked if awake else seen, None if awake else imports(data), source.is_notebook, commented)
        self._looks[path] = look
        return look
