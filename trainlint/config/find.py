"""The way from a place and a command line to the settings: which file holds the configuration.

Where the configuration is: in the nearest folder upwards, ``.trainlint.toml``, ``trainlint.toml`` or
``pyproject.toml``.

The way from a place and a command line to :class:`Settings`; what only a configuration needs is imported late.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trainlint.config.errors import ConfigError, Problem, quoted
from trainlint.config.settings import Settings
from trainlint.regular import absolute_path

OWN_NAMES = (".trainlint.toml", "trainlint.toml")
"""Files that are ours from the first line; of two in one folder the first name wins, and both win over ``pyproject.toml``."""

OTHERS_NAMES = ("setup.cfg", "tox.ini")
"""Where other tools have their settings, and some look for ours."""

SIZE_LIMIT = 256 * 1024
"""Bytes. Nobody writes a longer configuration; the TOML readers need quadratic time on hostile ones."""


class Found(NamedTuple):
    """A configuration file, as an absolute path, and our table in it, not checked yet."""

    path: Path
    table: dict[str, Any]


def find_file(start: Path, top: Path | None = None) -> Found | None:
    """Return the configuration of ``start`` (a file or folder, which need not exist), or None.

    Above the folder ``top`` none is looked for.
    A ``pyproject.toml`` without a ``tool.trainlint`` table does not count, whatever else it holds.
    Raises :class:`ConfigError` when a file that has our table, or must have it, cannot be read.
    """
    here = absolute_path(start)
    folder = here if os.path.isdir(here) else os.path.dirname(here)  # noqa: PTH112, PTH120 - this runs at every start
    last = None if top is None else absolute_path(top)
    while True:
        found = _in_folder(folder)
        parent = os.path.dirname(folder)  # noqa: PTH120
        if found or folder in (parent, last):
            return found
        folder = parent


def _in_folder(folder: str) -> Found | None:
    for name in OWN_NAMES:
        candidate = os.path.join(folder, name)  # noqa: PTH118
        if os.path.isfile(candidate):  # noqa: PTH113
            return _read(Path(candidate))
    project = os.path.join(folder, "pyproject.toml")  # noqa: PTH118
    return _read(Path(project)) if os.path.isfile(project) and _may_speak_of_us(project) else None  # noqa: PTH113


def named_file(path: Path) -> Found:
    """Return the configuration in the file of ``--config FILE``; raises :class:`ConfigError` unless there is one."""
    if not path.is_file():
        raise ConfigError([Problem("command line", "--config", f'"{path}" is neither a file nor KEY=VALUE')])
    found = _read(Path(absolute_path(path)))
    if found is None:
        raise ConfigError([Problem(str(path), "tool.trainlint", "there is no such table")])
    return found


def _read(path: Path) -> Found | None:
    from trainlint.config.merge import read_table

    table = read_table(path)
    return None if table is None else Found(path, table)


def _may_speak_of_us(project: str) -> bool:
    """Tell whether a ``pyproject.toml`` may have our table; nearly all that have none are answered without parsing them."""
    try:
        data = read_bytes(Path(project))
    except OSError:
        return False  # another tool's file is not ours to complain about
    if b"trainlint" not in data:
        return False
    import re

    # [tool.trainlint], [tool . "trainlint"], tool.trainlint.select = …; or [tool] / tool = { with the name inside.
    if re.search(rb"""tool["']?[ \t]*\.[ \t]*["']?trainlint""", data):
        return True
    return bool(re.search(rb"""(?m)^[ \t]*(?:\[[ \t]*["']?tool["']?[ \t]*\]|["']?tool["']?[ \t]*=)""", data))


def read_bytes(path: Path) -> bytes:
    """Return the file's bytes, at most one more than :data:`SIZE_LIMIT`. Raises OSError."""
    with path.open("rb") as stream:
        return stream.read(SIZE_LIMIT + 1)


def speaking_of_us(start: Path, last: Path | None) -> list[Path]:
    """Return the files of other tools' settings that may have a section for us, in ``start`` and above it, up to ``last``.

    Nothing is read from them; above the top folder of a repository none is looked for.
    """
    found = []
    for folder in (start, *start.parents):
        for path in (folder / name for name in OTHERS_NAMES):
            with contextlib.suppress(OSError):
                if path.is_file() and b"trainlint" in read_bytes(path):
                    found.append(path)
        if folder == last or (folder / ".git").exists():
            break
    return found


_NOTHING: Mapping[str, Any] = {}

KnowledgeCheck = Callable[[Mapping[str, Any]], Iterable[tuple[str, str]]]
"""Yields (dotted key below ``knowledge``, what is wrong) for each mistake in the ``knowledge`` tables."""


class Overrides(NamedTuple):
    """What the command line says about the settings.

    ``flags``: option key -> value, as it would come from TOML (lists, booleans, …), only for flags that were given.
    ``config``: the arguments of ``--config`` in their order, each ``KEY=VALUE`` (TOML) or the path of a file.
    """

    flags: Mapping[str, Any] = _NOTHING
    config: tuple[str, ...] = ()


def common_start(paths: Sequence[Path]) -> Path:
    """Return the folder to start the search from: the deepest one that holds every path (the current one without paths)."""
    absolute = [absolute_path(path) for path in paths] or [os.getcwd()]  # noqa: PTH109
    try:
        common = Path(os.path.commonpath(absolute))
    except ValueError:  # several drives
        return Path.cwd()
    return common if common.is_dir() else common.parent


def find_settings(
    start: Path,
    overrides: Overrides = Overrides(),  # noqa: B008 - an immutable value
    *,
    isolated: bool = False,
    check_knowledge: KnowledgeCheck | None = None,
    top: Path | None = None,
) -> Settings:
    """Return the settings of a run that starts at ``start`` (a file or folder, see :func:`common_start`).

    From weak to strong: defaults, the configuration file, ``--config KEY=VALUE``, flags. ``isolated`` passes over files,
    ``top`` over those above this folder.
    Globs and paths in the settings start from the folder of the file that was found; with ``--config FILE`` and without
    a file from the current folder (from ``start`` if that lies elsewhere).
    Raises :class:`ConfigError`, which names every mistake.
    """
    named = [argument for argument in overrides.config if is_file_argument(argument)]
    if len(named) > 1 or (named and isolated):
        raise ConfigError([Problem("command line", "--config", _too_many_files(named))])
    if named:
        found: Found | None = named_file(Path(named[0]))
    else:
        found = None if isolated else find_file(start, top)
    root = found.path.parent if found and not named else _root_without_file(start)
    if found is None and not overrides.flags and not overrides.config:
        return Settings(root)
    from trainlint.config.merge import merge

    return merge(root, found, overrides, check_knowledge)


def is_file_argument(argument: str) -> bool:
    """Tell whether an argument of ``--config`` is a path: an existing file, or no ``KEY=VALUE`` at all."""
    return "=" not in argument or os.path.isfile(argument)  # noqa: PTH113 - KEY=VALUE need not be a possible path


def _too_many_files(named: Sequence[str]) -> str:
    if len(named) == 1:
        return f'"{named[0]}" contradicts --isolated, which passes over configuration files'
    return f"only one file can be the configuration, not {quoted(named)}"


def _root_without_file(start: Path) -> Path:
    here, folder = Path.cwd(), common_start([start])
    return here if folder.is_relative_to(here) else folder
