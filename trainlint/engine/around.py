"""What lies around the files of a project and has a say in what is found in them: requirements, packaging, scripts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from trainlint.config import declared, exported


class Around:
    """What tells that something around files changed, came or went, looked at once for each folder.

    ``top`` is the folder of the project; ``scripts`` says whether rules ask what scripts set.
    """

    def __init__(self, top: str, *, scripts: bool) -> None:
        self.top = top
        self.scripts = scripts
        self._known: dict[str, list[Any]] = {}

    def of(self, paths: Iterable[str]) -> list[Any]:
        """The state of everything around these files."""
        return [self._in(folder) for folder in sorted(self._folders(paths))]

    def again(self) -> Around:
        """The same, looked at anew."""
        return Around(self.top, scripts=self.scripts)

    def _in(self, folder: str) -> list[Any]:
        known = self._known.get(folder)
        if known is None:
            begins = os.path.exists(os.path.join(folder, ".git"))  # noqa: PTH110, PTH118 - what lies above does not count then
            scripts = exported.state([folder]) if self.scripts else []
            known = self._known[folder] = [begins, declared.state([folder]), scripts]
        return known

    def _folders(self, paths: Iterable[str]) -> set[str]:
        """The folders of files and those above them, up to the project's."""
        found: set[str] = set()
        for path in paths:
            folder = os.path.dirname(path)  # noqa: PTH120
            while folder not in found and len(folder) >= len(self.top):
                found.add(folder)
                folder = os.path.dirname(folder)  # noqa: PTH120
                if folder == os.path.dirname(folder):  # noqa: PTH120
                    break
        return found
