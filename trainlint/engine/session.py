"""What a program keeps that checks the same paths again and again: files that did not change are not read or parsed anew."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from trainlint.config import Settings
from trainlint.engine.analysis import Analyser
from trainlint.engine.live import LiveWorkspace
from trainlint.knowledge import Knowledge


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
        self._live.replaced.clear()  # repairs: they are on the disk by now, or could not be written
        self._live.originals.clear()
        self._live.set_files([os.path.abspath(path) for path in targets], [*targets, *context])  # noqa: PTH100
        return self._analyser

    def _forget(self, path: str) -> None:
        if self._analyser is not None:
            self._analyser.forget(path)
