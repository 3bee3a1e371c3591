"""Which files to look at: from the paths of the command line to the Python files and notebooks below them.

Folders are read with ``os.scandir``, which tells files from folders without asking for each. Symbolic links to folders
below a given path are not followed (what they lead to is either elsewhere in the tree or not part of it, and may lead
back); links to files are, unless the file is found under its own name as well, or lies neither below that path nor in the
project: a strange repository has no business with what else is on the machine, to show its lines or to repair it. Of a link
whose file was found it is said where it leads: imports may mean it.
"""

# A Path for each of 100,000 entries would cost more than reading the folders.
# ruff: noqa: PTH100, PTH112, PTH116, PTH118

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from trainlint.documents.kinds import kind_of
from trainlint.source.gitignore import FILE_NAME, Ignores, above_folder, with_file_of
from trainlint.source.patterns import Excluder

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

    ``documents`` are the files beside the Python (see :mod:`trainlint.documents.kinds`): those that are given, and if
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
