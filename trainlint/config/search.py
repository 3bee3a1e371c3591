"""Where the configuration is: in the nearest folder upwards, ``.trainlint.toml``, ``trainlint.toml`` or ``pyproject.toml``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

from trainlint.config.errors import ConfigError, Problem

OWN_NAMES = (".trainlint.toml", "trainlint.toml")
"""Files that are ours from the first line; of two in one folder the first name wins, and both win over ``pyproject.toml``."""

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
    here = os.path.abspath(start)  # noqa: PTH100 - Path.resolve would leave the folder through a symlink
    folder = here if os.path.isdir(here) else os.path.dirname(here)  # noqa: PTH112, PTH120 - this runs at every start
    last = None if top is None else os.path.abspath(top)  # noqa: PTH100
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
    found = _read(Path(os.path.abspath(path)))  # noqa: PTH100 - as above
    if found is None:
        raise ConfigError([Problem(str(path), "tool.trainlint", "there is no such table")])
    return found


def _read(path: Path) -> Found | None:
    from trainlint.config.reading import read_table

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
