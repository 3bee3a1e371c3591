"""The settings in force in one run."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainlint.codes import CODES, DEFAULT, LEVEL_WORDS, NEEDS_TRAINING, expand_selectors
from trainlint.config.target import Target
from trainlint.finding import Level
from trainlint.regular import absolute_path

#: Where values come from that were not read from a file.
COMMAND_LINE = "command line"

#: Folders whose code is run to try something, not to train a model that anybody keeps.
ADVICE_FOLDERS = ("test/", "tests/", "testing/", "benchmark/", "benchmarks/", "example/", "examples/", "doc/", "docs/")


@dataclass(frozen=True)
class Settings:
    """Every option with its value in force; plain data, so it may be sent to another process.

    The fields are the options of the same name (``trainlint config`` explains them), and besides:
    ``root``: the absolute folder that relative paths and globs start from (that of ``file``, else where the search began);
    ``file``: the configuration file, if there is one; ``bases``: those that it extends, the nearest first;
    ``codes``: the rules that are on, before ``per_file_ignores``;
    ``named``: those of them that somebody selected, by whatever selector;
    ``counted``: those of them that are there to be counted only, being advice; None: nothing is (:meth:`only_counted`);
    ``likely``: those of them of which likely findings are reported, too (:attr:`trainlint.finding.Suspect.evidence`);
    ``code_levels``: the levels the user changed, code -> word, "off" left out;
    ``origins``: option key -> where its value came from, for the options that have not their default.
    """

    root: Path
    file: Path | None = None
    bases: tuple[Path, ...] = ()
    extend: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    levels: Mapping[str, str] = field(default_factory=dict)
    src: tuple[str, ...] = (".", "src")
    jobs: int | None = None
    max_seconds: float | None = None
    preview: bool = False
    advice: bool = False
    advice_folders: tuple[str, ...] = ADVICE_FOLDERS
    output_format: str = "full"
    baseline: str | None = None
    cache_dir: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    show_fixes: bool = False
    ignore_noqa: bool = False
    target_versions: Mapping[str, str] = field(default_factory=dict)
    knowledge: Mapping[str, Any] = field(default_factory=dict)
    codes: frozenset[str] = DEFAULT
    named: frozenset[str] = frozenset()
    counted: frozenset[str] | None = None
    likely: frozenset[str] = frozenset()
    code_levels: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)

    def folder_of(self, key: str) -> Path:
        """Return the folder that the file which an option names must lie in: that of the base that says so, else the root."""
        origin = self.origins.get(key)
        return next((base.parent for base in self.bases if str(base) == origin), self.root)

    @property
    def target(self) -> Target:
        """The framework versions that the checked code must run with."""
        return Target(self.target_versions)

    def level(self, code: str, path: Path) -> Level:
        """Return the level a finding of this rule has in this file. Raises KeyError for a code that is not in the catalogue."""
        if self.only_advice(code, path):
            return Level.ADVICE
        return Level(self.code_levels.get(code) or LEVEL_WORDS[CODES[code].level])

    def selected(self, code: str, path: Path) -> bool:
        """Tell whether the rule is on for this file."""
        wanted = self.advice or code in self.named or not self.only_advice(code, path)
        return wanted and code in self.codes and code not in self.ignored_in(path)

    def only_counted(self, code: str, path: Path) -> bool:
        """Tell whether findings of the rule in this file are no more than counted: without ``counted`` it would be off."""
        if self.counted is None:
            return False
        return code in self.counted or (code not in self.named and self.only_advice(code, path))

    def only_advice(self, code: str, path: Path) -> bool:
        """Tell whether the rule is advice in this file, whatever it is elsewhere: no training that counts runs this code."""
        row = CODES.get(code)
        if row is None or row.family not in NEEDS_TRAINING or code in self.code_levels:
            return False
        return _is_in(str(self.root), self.advice_folders, os.fspath(path))

    def ignored_in(self, path: Path) -> frozenset[str]:
        """Return the codes that ``per-file-ignores`` turns off in this file."""
        if not self.per_file_ignores:
            return frozenset()
        return _ignored_in(str(self.root), tuple(self.per_file_ignores.items()), os.fspath(path))


@functools.lru_cache(maxsize=4096)
def _ignored_in(root: str, table: tuple[tuple[str, tuple[str, ...]], ...], path: str) -> frozenset[str]:
    absolute = absolute_path(path)
    matching = (selectors for pattern, selectors in table if _matcher(root, pattern)(absolute))
    return frozenset().union(*(expand_selectors(selectors) for selectors in matching))


@functools.lru_cache(maxsize=4096)
def _is_in(root: str, patterns: tuple[str, ...], path: str) -> bool:
    absolute = absolute_path(path)
    return any(_matcher(root, pattern)(absolute) for pattern in patterns)


@functools.lru_cache(maxsize=512)
def _matcher(root: str, pattern: str) -> Callable[[str], bool]:
    """Return the test whether an absolute path matches a pattern, written as in a ``.gitignore`` that lies in ``root``.

    ``!pattern`` matches the files that the pattern does not match. A file outside of ``root`` is matched by its whole path,
    as is every file by a pattern that begins with ``//`` (one of a base).
    (Not by pathspec: the regular expressions that it makes of ``*a*a*a*b`` need exponential time.)
    """
    from trainlint.globs import read_pattern

    wanted = not pattern.startswith("!")
    written = pattern.removeprefix("!")
    start = "/" if written.startswith("//") else root
    glob = read_pattern(written[1:] if written.startswith("//") else written)

    def matches(absolute: str) -> bool:
        try:
            inside = Path(absolute).relative_to(start).as_posix()
        except ValueError:
            inside = Path(absolute).as_posix().lstrip("/")
        parts = inside.split("/")
        found = (
            glob is not None
            and not glob.negated
            and any(glob.matches(parts[:count], is_folder=count < len(parts)) for count in range(1, len(parts) + 1))
        )
        return found is wanted

    return matches


FORMATS = (
    "full",
    "concise",
    "grouped",
    "json",
    "json-lines",
    "html",
    "markdown",
    "github",
    "sarif",
    "gitlab",
    "rdjson",
    "junit",
    "azure",
    "pylint",
)
"""What ``--output-format`` and the option ``output-format`` know; the names are ruff's where ruff has the format too."""

FOR_PEOPLE = frozenset({"full", "concise", "grouped"})
"""The formats that are followed by a summary. What a program reads holds nothing else."""
