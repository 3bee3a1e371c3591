"""Which files to look at: the Python files and notebooks below the paths of the command line that nothing excludes.

Exclude patterns, as ruff understands them.

A pattern without a slash is for the name of a file or folder, wherever it is; one with a slash for the path from the
project's root. ``*`` and ``?`` match slashes too, ``**/`` also nothing, ``[a-z]`` and ``{a,b}`` are what they are in a
shell. What lies in an excluded folder is excluded. An absolute pattern is for absolute paths.

What git ignores below one folder: its own ``.gitignore`` files and those of the folders above, up to the repository.

The matching is done here. The pathspec library decides for a path and everything below it at once; git decides folder by
folder, and a pattern for a folder says nothing of what is in it. With ``*``, ``!*/``, ``!*.py`` (all but Python files, a
common idiom) pathspec finds no file at all.

Folders are read with ``os.scandir``, which tells files from folders without asking for each. Symbolic links to folders
below a given path are not followed (what they lead to is either elsewhere in the tree or not part of it, and may lead
back); links to files are, unless the file is found under its own name as well, or lies neither below that path nor in the
project: a strange repository has no business with what else is on the machine, to show its lines or to repair it. Of a link
whose file was found it is said where it leads: imports may mean it.
"""

from __future__ import annotations

import codecs
import fnmatch
import glob
import itertools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from trainlint.documents.document import kind_of
from trainlint.globs import Pattern, read_pattern
from trainlint.regular import LARGEST, read_regular

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


FILE_NAME = ".gitignore"


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
        data = read_regular(Path(folder) / FILE_NAME, LARGEST)
    except OSError:
        return above
    if len(data) > LARGEST:
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


# A Path for each of 100,000 entries would cost more than reading the folders.
# ruff: noqa: PTH100, PTH112, PTH116, PTH118


DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".trainlint_cache",
    ".venv",
    ".vscode",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)
"""Folders that hold other people's code, or none: ruff's list and our own cache."""

_SUFFIXES = (".py", ".ipynb")


@dataclass(frozen=True)
class DiscoverOptions:
    """What is left out. ``root`` is the project's root: patterns with a slash in ``exclude`` start there.

    ``force_exclude`` applies the patterns to the given paths too (pre-commit passes files one by one).
    """

    root: Path = field(default_factory=Path.cwd)
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    force_exclude: bool = False
    respect_gitignore: bool = True
    documents: bool = False


class Discovery(NamedTuple):
    """The files, sorted, each once, spelled from the given path on; and what could not be looked at, with the reason.

    ``documents`` are the files beside the Python (see :mod:`trainlint.documents.document`): those that are given, and if
    ``DiscoverOptions.documents`` asks for them those in the folders.

    ``links`` has the links that are left out because their files are among ``files``, each with its file (absolute paths).

    A problem's text is a predicate of its path: "does not exist", "cannot be read: Permission denied".
    """

    files: list[Path]
    problems: list[tuple[Path, str]]
    documents: list[Path]
    links: dict[str, str]


def discover(paths: Sequence[Path], options: DiscoverOptions) -> Discovery:
    """Find the files below ``paths``. Never raises: what goes wrong is a problem in the result.

    A file that is given itself is taken whatever its name, unless ``force_exclude`` excludes it or it is a stub
    (``.pyi``), which holds no code, or its name says that it is something else (``.json``). In folders only ``.py`` and
    ``.ipynb`` files are taken, and with ``options.documents`` those that are read beside them.
    """
    search = _Search(options)
    for path in paths:
        search.add(str(path))
    return search.result()


class _Search:
    """What was found so far."""

    def __init__(self, options: DiscoverOptions) -> None:
        self._options = options
        self._root = os.path.abspath(options.root)
        self._excluder = Excluder(options.exclude, self._root)
        self._found: dict[str, str] = {}  # absolute path to the path as spelled
        self._links: dict[str, str] = {}  # the same, for links to files
        self._documents: dict[str, str] = {}
        self._tops = {os.path.realpath(self._root)}
        self._problems: list[tuple[str, str]] = []

    def add(self, path: str) -> None:
        """Take a path of the command line."""
        try:
            absolute = os.path.abspath(path)
            is_folder = os.path.isdir(path)
            if not is_folder:
                os.stat(path)
        except FileNotFoundError:
            self._problems.append((path, "does not exist"))
            return
        except (OSError, ValueError) as error:  # a loop of links; a null byte in the name
            self._problem(path, error)
            return
        if self._options.force_exclude and self._excluder.excludes_with_parents(absolute, self._root):
            return
        if is_folder:
            self._tops.add(os.path.realpath(absolute))
            ignores = above_folder(absolute, self._root) if self._options.respect_gitignore else None
            self._walk(path, absolute, ignores)
        elif kind_of(os.path.basename(path)) is not None:  # noqa: PTH119
            self._documents.setdefault(absolute, path)
        elif not path.endswith(".pyi"):
            self._found.setdefault(absolute, path)

    def result(self) -> Discovery:
        """Return the outcome; a link whose file was found too, or was linked to before, or leads out, is left out."""
        links: dict[str, str] = {}
        if self._links:
            real = {os.path.realpath(absolute): absolute for absolute in self._found}
            for absolute, spelled in sorted(self._links.items()):
                target = os.path.realpath(absolute)
                if target in real:
                    links[absolute] = real[target]
                elif any(_is_below(target, top) for top in self._tops):
                    real[target] = absolute
                    self._found.setdefault(absolute, spelled)
        files = [Path(spelled) for spelled in sorted(self._found.values())]
        documents = [Path(spelled) for spelled in sorted(self._documents.values())]
        return Discovery(files, [(Path(path), text) for path, text in self._problems], documents, links)

    def _problem(self, path: str, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        self._problems.append((path, f"cannot be read: {reason}"))

    def _walk(self, top: str, absolute_top: str, ignores_above: Ignores | None) -> None:
        """Look through a folder and the folders in it, without recursion: trees can be as deep as paths are long."""
        waiting = [(top, absolute_top, ignores_above)]
        while waiting:
            folder, absolute, ignores = waiting.pop()
            try:
                with os.scandir(folder) as listing:
                    entries = list(listing)
            except OSError as error:
                self._problem(folder, error)
                continue
            if self._options.respect_gitignore and any(entry.name == FILE_NAME for entry in entries):
                ignores = with_file_of(absolute, ignores)
            for entry, is_folder in _candidates(entries, self._options.documents):
                place = os.path.join(absolute, entry.name)
                if self._excluder.excludes(entry.name, place):
                    continue
                if ignores is not None and ignores.ignores(place, is_folder=is_folder):
                    continue
                if is_folder:
                    waiting.append((entry.path, place, ignores))
                elif not entry.name.endswith(_SUFFIXES):
                    self._documents.setdefault(place, entry.path)
                else:
                    found = self._links if entry.is_symlink() else self._found
                    found.setdefault(place, entry.path)


def _is_below(path: str, top: str) -> bool:
    return path.startswith(top.rstrip(os.sep) + os.sep)


def _candidates(entries: list[os.DirEntry[str]], documents: bool) -> Iterator[tuple[os.DirEntry[str], bool]]:
    """Yield the entries that matter, and whether each is a folder."""
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                yield entry, True
            elif entry.name.endswith(_SUFFIXES):
                if entry.is_file():
                    yield entry, False
            elif documents and kind_of(entry.name) is not None and entry.is_file(follow_symlinks=False):
                yield entry, False
        except OSError:
            # A link that leads to itself, or a file that went away just now: no file either way. (Broken links, such
            # as Emacs's locks, are no files without an error.)
            continue
