"""Findings by file for programs that ask file by file: the whole project is checked once, and answers come from that."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.app.engine import driver
from trainlint.app.engine.project import project_root
from trainlint.app.engine.result import Result
from trainlint.config import Overrides, Settings, common_start, find_settings
from trainlint.finding import Finding
from trainlint.regular import absolute_path

if TYPE_CHECKING:
    from trainlint.program.library_types import ExternalTypes


class Session:
    """One process's memory.

    ``only`` are the codes that the asking program takes, ``asked`` those of them that it was told to report although they are
    off by default; besides those, what is on is what the configuration says. With ``ignore_noqa`` comments suppress nothing;
    ``outside`` knows of libraries that the tables do not speak of. Other processes with the same files and settings, and the
    same ``kept_for``, get their answers from what this one keeps in the project's cache; None: no.
    """

    def __init__(
        self,
        only: Collection[str],
        *,
        asked: Collection[str] = (),
        ignore_noqa: bool = False,
        outside: ExternalTypes | None = None,
        kept_for: str | None = None,
    ) -> None:
        self.outside = outside
        self.kept_for = kept_for
        self.only = frozenset(only)
        self.asked = frozenset(asked)
        self.ignore_noqa = ignore_noqa
        self._projects: dict[tuple[Path, Path | None], dict[str, list[Finding]]] = {}
        self._settings: dict[Path, Settings] = {}
        self._problems: dict[str, None] = {}
        self._said: set[str] = set()

    def problems(self) -> list[str]:
        """What was wrong with rules of other packages, each only once."""
        fresh = [problem for problem in self._problems if problem not in self._said]
        self._said.update(fresh)
        return fresh

    def findings(self, path: Path, text: bytes | None = None) -> list[Finding]:
        """The findings that stand in a file; ``text`` is what it holds, if that is not what is on the disk.

        Facts come from the whole project in both cases. Raises :class:`trainlint.config.ConfigError` for a configuration
        that is wrong.
        """
        settings = self._settings_of(path)
        here = absolute_path(path)
        if text is not None and not _is_on_disk(path, text):
            result = driver.check([], settings, stdin=(text, path), outside=self.outside)
            self._note_problems(result)
            return [finding for finding in result.findings if absolute_path(finding.path) == here]
        known = self._project(path, settings)
        if here not in known:  # excluded from the project, and asked for by name
            known.update(self._by_file([path], settings))
        return known.get(here, [])

    def prepare(self, path: Path) -> None:
        """Check the project of a file or folder now, for processes that are copies of this one."""
        inside = path / "any.py" if path.is_dir() else path
        self._project(path, self._settings_of(inside))

    def _project(self, path: Path, settings: Settings) -> dict[str, list[Finding]]:
        """The findings of the whole project of a file or folder, by file."""
        root = project_root(path)
        key = (root, settings.file)
        if key not in self._projects:
            self._projects[key] = self._by_file([root], settings)
        return self._projects[key]

    def _by_file(self, paths: list[Path], settings: Settings) -> dict[str, list[Finding]]:
        result = driver.check(paths, settings, outside=self.outside, kept_for=self.kept_for)
        self._note_problems(result)
        found: dict[str, list[Finding]] = {absolute_path(path): [] for path in result.checked}
        for finding in result.findings:
            found.setdefault(absolute_path(finding.path), []).append(finding)
        return found

    def _note_problems(self, result: Result) -> None:
        # Other errors are about paths that cannot be read: who asks file by file finds that out without us.
        self._problems.update(dict.fromkeys(result.problems))

    def _settings_of(self, path: Path) -> Settings:
        folder = path.parent
        known = self._settings.get(folder)
        if known is None:
            settings = find_settings(common_start([path]), Overrides(flags=self._comments))
            more = self.asked - settings.codes
            known = self._settings[folder] = replace(
                settings, codes=settings.codes & self.only | more, named=settings.named | more, likely=settings.likely | more
            )
        return known

    @property
    def _comments(self) -> dict[str, bool]:
        return {"ignore-noqa": True} if self.ignore_noqa else {}


def _is_on_disk(path: Path, text: bytes) -> bool:
    try:
        return path.read_bytes() == text
    except OSError:
        return False
