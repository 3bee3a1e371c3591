"""Where a project begins, and which files belong to it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from trainlint.config import Settings
from trainlint.regular import absolute_path
from trainlint.rules import registry
from trainlint.source.discover import DEFAULT_EXCLUDE, DiscoverOptions, Discovery, discover

MARKS = ("pyproject.toml", "setup.py", "setup.cfg", "trainlint.toml", ".trainlint.toml")
#: More files than this around a few checked ones are not a project but a disk.
_MOST_CONTEXT = 20_000
#: The same for a folder that nothing marks as a project's.
_MOST_UNMARKED = 5_000


def options_of(settings: Settings) -> DiscoverOptions:
    """What discovery is told by the settings."""
    exclude = DEFAULT_EXCLUDE if settings.exclude is None else settings.exclude
    return DiscoverOptions(
        root=settings.root,
        exclude=(*exclude, *settings.extend_exclude),
        force_exclude=settings.force_exclude,
        respect_gitignore=settings.respect_gitignore,
        documents=bool(registry.reads(settings.codes)),
    )


def project_root(path: Path) -> Path:
    """The folder of the project that a file or folder belongs to.

    That is the folder with ``.git`` above it; without one the working directory, when the path lies in it and it is not
    a home directory; otherwise the topmost folder above that has a project file, or is part of a package; or the folder itself.
    """
    folder = Path(absolute_path(path if path.is_dir() else path.parent))
    above = [folder, *folder.parents]
    for candidate in above:
        if (candidate / ".git").exists():
            return candidate
    here = Path.cwd()
    if here in above and here not in (Path.home(), Path(here.anchor)):
        return here
    marked = [candidate for candidate in above if any((candidate / mark).exists() for mark in MARKS)]
    if marked:
        return marked[0]
    while (folder / "__init__.py").exists() and folder.parent != folder:
        folder = folder.parent
    return folder


def is_project(folder: Path) -> bool:
    """Whether something in the folder says that a project begins there."""
    return any((folder / mark).exists() for mark in (".git", *MARKS))


class Context(NamedTuple):
    """What belongs to the project besides the files that are checked; ``roots`` are where imports start from.

    ``links`` are other names of files that belong to it, checked or not (see :class:`trainlint.source.discover.Discovery`).
    """

    files: list[Path]
    roots: list[str]
    documents: list[Path]
    links: dict[str, str]


def context_files(targets: Sequence[Path], paths: Sequence[Path], settings: Settings, project: Path | None = None) -> Context:
    """The project's files besides the targets, and the roots that imports start from; ``project`` says where it begins."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)  # pre-commit names hundreds of files
    roots = [project] if project is not None else list(dict.fromkeys(map(project_root, folders)))
    own = {absolute_path(path) for path in targets}
    given = {absolute_path(path) for path in paths}
    found: dict[str, Path] = {}
    documents: list[Path] = []
    links: dict[str, str] = {}
    for root in roots:
        if str(root) in given:
            continue  # everything in it is checked anyway
        marked = is_project(root)
        discovery = discover([root], options_of(settings))
        documents += [path for path in discovery.documents if absolute_path(path) not in own]
        links.update(discovery.links)
        for path in discovery.files:
            absolute = absolute_path(path)
            if absolute not in own:
                found[absolute] = path
            if len(found) > (_MOST_CONTEXT if marked else _MOST_UNMARKED):
                return Context([], import_roots(roots, settings), [], {})
    return Context(list(found.values()), import_roots(roots, settings), documents, links)


def import_roots(roots: Sequence[Path], settings: Settings) -> list[str]:
    """The folders that absolute imports may start from."""
    starts = [str(root / "src") for root in roots] + [str(root) for root in roots]
    starts += [os.path.normpath(settings.root / name) for name in settings.src]
    return sorted(dict.fromkeys(starts), key=len)


__all__ = ["Discovery", "context_files", "discover", "import_roots", "is_project", "options_of", "project_root"]
