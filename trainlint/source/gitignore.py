"""What git ignores below one folder: its own ``.gitignore`` files and those of the folders above, up to the repository.

The matching is done here. The pathspec library decides for a path and everything below it at once; git decides folder by
folder, and a pattern for a folder says nothing of what is in it. With ``*``, ``!*/``, ``!*.py`` (all but Python files, a
common idiom) pathspec finds no file at all.
"""

from __future__ import annotations

import codecs
import os
from pathlib import Path
from typing import NamedTuple

from trainlint.globs import Pattern, read_pattern
from trainlint.regular import read_regular

FILE_NAME = ".gitignore"

#: Bytes: nobody writes that much, and each line is matched with each file.
_LARGEST = 1 << 20


class Ignores(NamedTuple):
    """The patterns that hold in one folder: those of one ``.gitignore``, then those of the folders above."""

    folder: str
    patterns: tuple[Pattern, ...]  # the last line of the file first
    above: Ignores | None

    def ignores(self, absolute: str, *, is_folder: bool) -> bool:
        """Whether git ignores the entry of that absolute path. The folders it lies in are taken to be not ignored.

        The nearest file that says anything decides, and in it the last pattern that matches.
        """
        level: Ignores | None = self
        while level is not None:
            parts = absolute[len(level.folder) :].replace(os.sep, "/").strip("/").split("/")
            for pattern in level.patterns:
                if pattern.matches(parts, is_folder=is_folder):
                    return not pattern.negated
            level = level.above
        return False


def with_file_of(folder: str, above: Ignores | None) -> Ignores | None:
    """Return what holds in a folder that has a ``.gitignore``; one that cannot be read, or is too large, changes nothing."""
    try:
        data = read_regular(Path(folder) / FILE_NAME, _LARGEST)
    except OSError:
        return above
    if len(data) > _LARGEST:
        return above
    lines = os.fsdecode(data.removeprefix(codecs.BOM_UTF8)).split("\n")
    patterns = [pattern for line in reversed(lines) if (pattern := read_pattern(line.removesuffix("\r"))) is not None]
    return Ignores(folder, tuple(patterns), above) if patterns else above


def above_folder(folder: str, root: str) -> Ignores | None:
    """Return what the folders above an absolute ``folder`` say of what is in it.

    They are followed up to the git repository, without one up to ``root`` if that is above. When they ignore the folder
    itself they are not asked: who names an ignored folder wants to see it.
    """
    ignores: Ignores | None = None
    for place in [*reversed(_parents(Path(folder), Path(root))), Path(folder)]:
        if ignores is not None and ignores.ignores(str(place), is_folder=True):
            return None
        if place != Path(folder) and (place / FILE_NAME).is_file():
            ignores = with_file_of(str(place), ignores)
    return ignores


def _parents(folder: Path, root: Path) -> list[Path]:
    """Return the folders above ``folder`` whose ``.gitignore`` counts, the nearest first."""
    if (folder / ".git").exists():
        return []
    above = list(folder.parents)
    for number, parent in enumerate(above, start=1):
        if (parent / ".git").exists():
            return above[:number]
    return above[: above.index(root) + 1] if root in above else []
