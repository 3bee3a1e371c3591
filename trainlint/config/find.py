"""The way from a place and a command line to :class:`Settings`; what only a configuration needs is imported late."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trainlint.config.errors import ConfigError, Problem, quoted
from trainlint.config.search import Found, find_file, named_file
from trainlint.config.settings import Settings

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
    absolute = [os.path.abspath(path) for path in paths] or [os.getcwd()]  # noqa: PTH100, PTH109 - keep symlinks
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
