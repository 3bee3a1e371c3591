"""What a program keeps that checks the same paths again and again: files as on disk or as an editor holds them.

The files of a project that is kept in memory: what is on disk, under what an editor holds and has not saved.

What a program keeps that checks the same paths again and again: files that did not change are not read or parsed
anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from trainlint.app.engine.analysis import Analyser
from trainlint.app.engine.workspace import Look, Triage, Workspace
from trainlint.config import Settings
from trainlint.knowledge import Knowledge
from trainlint.regular import absolute_path
from trainlint.source.triage import Telling


class LiveWorkspace(Workspace):
    """A workspace that lives on. Files are looked at again only when their time, size or buffer has changed.

    ``changed`` is called with the path of a file that is not what it was.
    """

    def __init__(self, changed: Callable[[str], None]) -> None:
        super().__init__([], [])
        self._changed = changed
        self._looks: dict[str, tuple[object, Look | None]] = {}

    def set_files(self, targets: Iterable[str], files: Iterable[Path]) -> None:
        """Say which files there are, and which of them (also such as are not among ``files``) are to be checked."""
        spelled = {absolute_path(file): file for file in files}
        self.targets = dict.fromkeys(targets)
        self.documents = set()
        self.spelled = {**{path: Path(path) for path in self.targets}, **spelled}
        self._drop_changed()

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

    def stamps(self) -> dict[str, str]:
        """By file what is another thing when it is, however often an editor puts the same text there."""
        found = {path: f"disk {self._stamp(path)}" for path in self.spelled if path not in self.replaced}
        return found | {path: hashlib.sha256(data).hexdigest() for path, data in self.replaced.items()}

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

    def triage(self, telling: Telling, asked: frozenset[bytes], looks: dict[str, Look]) -> Triage:
        """As it is done for a run; of a file that did not change what is known of it is taken."""
        self._drop_changed()
        for path in self.spelled:
            if path not in self._looks:
                self._drop(path)
                self._looks[path] = self._stamp(path), looks.get(path)
        return super().triage(telling, asked, looks)

    def _drop_changed(self) -> None:
        """Forget what is known of files that are not what they were, or are gone."""
        for path, (stamp, _) in list(self._looks.items()):
            if path not in self.spelled or stamp != self._stamp(path):
                self._drop(path)
        for path in self._kept.keys() - self._looks.keys():  # read for a report, and never looked at
            self._drop(path)

    def _look(self, path: str, telling: Telling, asked: frozenset[bytes]) -> Look | None:
        stamp, look = self._looks[path]
        if look is None:
            look = super()._look(path, telling, asked)
            self._looks[path] = stamp, look
        return look


class Staying:
    """An analyser that is kept from one check to the next, as long as the settings stay the same."""

    def __init__(self) -> None:
        self._live = LiveWorkspace(self._forget)
        self._analyser: Analyser | None = None

    def analyser(
        self, targets: Sequence[Path], context: Sequence[Path], settings: Settings, knowledge: Knowledge, roots: list[str]
    ) -> Analyser:
        """The analyser for these files, with what is on the disk now."""
        if self._analyser is None or (self._analyser.settings, self._analyser.roots) != (settings, roots):
            self._live = LiveWorkspace(self._forget)
            self._analyser = Analyser(self._live, settings, knowledge, roots)
        self._analyser.parsed = 0
        self._analyser.memory = None
        self._live.replaced.clear()  # repairs: they are on the disk by now, or could not be written
        self._live.originals.clear()
        self._live.set_files([absolute_path(path) for path in targets], [*targets, *context])
        return self._analyser

    def _forget(self, path: str) -> None:
        if self._analyser is not None:
            self._analyser.forget(path)
