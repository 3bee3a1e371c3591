"""Findings by file for programs that ask file by file: the whole project is checked once, and answers come from that."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from trainlint.config import Overrides, Settings, common_start, find_settings
from trainlint.engine import driver
from trainlint.engine.project import project_root
from trainlint.finding import Finding


class Session:
    """One process's memory. ``only`` are the codes that the asking program wants, among them some that are off by default."""

    def __init__(self, only: Collection[str]) -> None:
        self.only = frozenset(only)
        self._projects: dict[tuple[Path, Path | None], dict[str, list[Finding]]] = {}
        self._settings: dict[Path, Settings] = {}

    def findings(self, path: Path, text: bytes | None = None) -> list[Finding]:
        """The findings that stand in a file; ``text`` is what it holds, if that is not what is on the disk.

        Facts come from the whole project in both cases. Raises :class:`trainlint.config.ConfigError` for a configuration
        that is wrong.
        """
        settings = self._settings_of(path)
        here = os.path.abspath(path)  # noqa: PTH100 - links keep their names
        if text is not None and not _is_on_disk(path, text):
            result = driver.check([], settings, stdin=(text, path))
            return [finding for finding in result.findings if os.path.abspath(finding.path) == here]  # noqa: PTH100
        root = project_root(path)
        key = (root, settings.file)
        if key not in self._projects:
            self._projects[key] = _by_file([root], settings)
        known = self._projects[key]
        if here not in known:  # excluded from the project, and asked for by name
            known.update(_by_file([path], settings))
        return known.get(here, [])

    def _settings_of(self, path: Path) -> Settings:
        folder = path.parent
        known = self._settings.get(folder)
        if known is None:
            settings = find_settings(common_start([path]), Overrides())
            wanted = sorted(settings.codes & self.only | self._asked_for(settings))
            known = find_settings(common_start([path]), Overrides(flags={"select": wanted}))
            self._settings[folder] = known
        return known

    def _asked_for(self, settings: Settings) -> frozenset[str]:
        """The rules that are off by default and that the asking program turned on by name."""
        return self.only - Settings(settings.root).codes


def _by_file(paths: list[Path], settings: Settings) -> dict[str, list[Finding]]:
    result = driver.check(paths, settings)
    found: dict[str, list[Finding]] = {os.path.abspath(path): [] for path in result.checked}  # noqa: PTH100
    for finding in result.findings:
        found.setdefault(os.path.abspath(finding.path), []).append(finding)  # noqa: PTH100
    return found


def _is_on_disk(path: Path, text: bytes) -> bool:
    try:
        return path.read_bytes() == text
    except OSError:
        return False
