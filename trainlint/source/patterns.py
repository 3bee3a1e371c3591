"""Exclude patterns, as ruff understands them.

A pattern without a slash is for the name of a file or folder, wherever it is; one with a slash for the path from the
project's root. ``*`` and ``?`` match slashes too, ``**/`` also nothing, ``[a-z]`` and ``{a,b}`` are what they are in a
shell. What lies in an excluded folder is excluded. An absolute pattern is for absolute paths.
"""

from __future__ import annotations

import fnmatch
import glob
import itertools
import os
import re
from collections.abc import Iterable
from pathlib import Path

_GLOB_CHARACTERS = re.compile(r"[*?\[{]")
_BRACES = r"\{([^{}]*)\}"
_ANY_FOLDERS = r"(?:(?<=/)|^)\*\*/"
# More alternatives than this in one pattern are a mistake or an attack; the rest is ignored.
_MOST_ALTERNATIVES = 1_000


class Excluder:
    """Tells which paths the patterns exclude."""

    def __init__(self, patterns: Iterable[str], root: str) -> None:
        """Take the patterns and the absolute path of the folder that those with a slash start from."""
        self._names: set[str] = set()
        self._name_globs: list[re.Pattern[str]] = []
        self._path_globs: list[re.Pattern[str]] = []
        for written in patterns:
            pattern = written.replace(os.sep, "/")
            if len(pattern) > 1:
                pattern = pattern.rstrip("/")
            if "/" in pattern:
                self._path_globs += _compiled(_absolute(pattern, root))
            elif _GLOB_CHARACTERS.search(pattern):
                self._name_globs += _compiled(pattern)
            else:
                self._names.add(pattern)

    def excludes(self, name: str, absolute: str) -> bool:
        """Whether a file or folder is excluded for itself: its name and its normal absolute path."""
        if name in self._names or any(pattern.match(name) for pattern in self._name_globs):
            return True
        if not self._path_globs:
            return False
        path = absolute.replace(os.sep, "/")
        return any(pattern.match(path) for pattern in self._path_globs)

    def excludes_with_parents(self, absolute: str, root: str) -> bool:
        """Whether a file, or a folder it lies in (below ``root`` if it lies there at all), is excluded."""
        path = Path(absolute)
        for place in [path, *path.parents]:
            if str(place) == root:
                return False
            if self.excludes(place.name, str(place)):
                return True
        return False


def _absolute(pattern: str, root: str) -> str:
    if Path(pattern).is_absolute():
        return pattern
    return glob.escape(root.replace(os.sep, "/").rstrip("/")).replace("{", "[{]") + "/" + pattern.removeprefix("./")


def _compiled(pattern: str) -> list[re.Pattern[str]]:
    """Return the regular expressions of a glob. Those that ``fnmatch`` makes never take exponential time."""
    alternatives = itertools.chain.from_iterable(map(_with_and_without_folders, _without_braces(pattern)))
    return [re.compile(fnmatch.translate(plain)) for plain in itertools.islice(alternatives, _MOST_ALTERNATIVES)]


def _without_braces(pattern: str) -> Iterable[str]:
    """Yield the pattern once for each choice in its braces, innermost first; a brace that is not closed is itself."""
    candidates = re.finditer(_BRACES, pattern)
    braces = next((found for found in candidates if found.start() == 0 or pattern[found.start() - 1] != "["), None)
    if braces is None:
        yield pattern
        return
    for choice in braces[1].split(","):
        yield from _without_braces(pattern[: braces.start()] + choice + pattern[braces.end() :])


def _with_and_without_folders(pattern: str) -> Iterable[str]:
    """Yield the pattern with each ``**/`` there (as ``*/``, which matches slashes) and left out."""
    folders = re.search(_ANY_FOLDERS, pattern)
    if folders is None:
        yield pattern
        return
    for rest in _with_and_without_folders(pattern[folders.end() :]):
        yield pattern[: folders.start()] + rest
        yield pattern[: folders.start()] + "*/" + rest
