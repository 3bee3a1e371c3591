"""Which project an open file belongs to, and with which settings: those of its configuration under those of the client."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trainlint.config import ConfigError, Overrides, Settings, common_start, find_settings
from trainlint.config.errors import Problem
from trainlint.engine.project import MARKS, project_root
from trainlint.knowledge.checking import mistakes


class Place(NamedTuple):
    """A project: its root, the folders that are searched for its files, and its settings."""

    root: Path
    folders: tuple[Path, ...]
    settings: Settings

    @property
    def key(self) -> tuple[Path, Path | None]:
        """What tells it from other projects, whatever its settings."""
        return self.root, self.settings.file


def place_of(path: str, workspace: Sequence[str], overrides: Overrides) -> Place:
    """The project of a file, which need not exist; ``workspace`` are the folders that are open in the editor.

    A file outside of every project and workspace belongs to the files beside it, or to its package. Raises ConfigError.
    """
    file = Path(path)
    settings = find_settings(common_start([file]), overrides, check_knowledge=mistakes)
    root = project_root(file)
    if (root / ".git").exists():
        return Place(root, (root,), settings)
    around = [Path(folder) for folder in workspace if file.is_relative_to(folder)]
    if around:
        root = max(around, key=lambda folder: len(folder.parts))
        return Place(root, (root,), settings)
    if any((root / mark).exists() for mark in MARKS):
        return Place(root, (root,), settings)
    top = file.parent
    while (top / "__init__.py").exists() and top.parent != top:
        top = top.parent
    inside = file.relative_to(top).parts
    if len(inside) > 1:
        return Place(top, (top / inside[0],), settings)
    return Place(top, tuple(sorted(top.glob("*.py"))), settings)


def overrides_of(given: object) -> Overrides:
    """What a client's settings say: options by their names (in either spelling), and ``config`` as on the command line.

    Raises ConfigError for what is not a table of options.
    """
    if given is None:
        return Overrides()
    if not isinstance(given, Mapping):
        raise ConfigError([Problem("the editor's settings", "", "they must be a table of options")])
    options = {_kebab(str(key)): value for key, value in given.items() if value is not None}
    config = options.pop("config", ())
    if isinstance(config, str):
        config = (config,) if config else ()
    if not isinstance(config, (list, tuple)) or not all(isinstance(each, str) for each in config):
        raise ConfigError([Problem("the editor's settings", "config", "it must be a string or a list of strings")])
    return Overrides(flags=options, config=tuple(os.path.expanduser(each) for each in config))  # noqa: PTH111


def settings_in(given: Any) -> object:
    """A client's settings in whatever it sent: they may stand under the name of the program or of ``settings``."""
    for name in ("settings", "trainlint"):
        if isinstance(given, Mapping) and set(given) == {name}:
            given = given[name]
    return given or None


def _kebab(name: str) -> str:
    """``extendSelect`` and ``extend_select`` as ``extend-select``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).replace("_", "-").lower()
