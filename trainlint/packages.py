"""Packages with rules, on their way from their metadata into :class:`trainlint.installed.Installed`.

Only imported where there is one.
"""

# ruff: noqa: PTH208

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.installed import GROUP, Installed

if TYPE_CHECKING:
    from types import ModuleType

_PREFIX = re.compile(r"[A-Z]{2,3}")  # flake8 takes no more letters
_OURS = "TL"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LEVELS = {"error": "E", "warning": "W", "advice": "A"}
_FIXES = {"safe": "s", "unsafe": "u", "display": "d", "none": ""}
_CERTAINTIES = ("syntax", "flow", "heuristic")


class Row(NamedTuple):
    """A rule of an installed package: what the catalogue says of a rule of ours, and where the rule and its page are.

    ``level`` and ``repairs`` are the letters of :class:`trainlint.codes.Code`; ``family`` is the package's name.
    """

    code: str
    name: str
    level: str
    repairs: str
    family: str
    file: str
    module: str
    page: str
    url: str | None


class _Unusable(Exception):
    """Why a package, a rule or its page cannot be used."""


def load_packages(metadata: Iterable[str], taken: Collection[str]) -> Installed:
    """Import the rules of the packages with these folders of metadata; ``taken`` are the names that rules have already.

    Nothing raises.
    """
    found = Installed()
    packages: dict[str, PathDistribution] = {}
    for path in metadata:
        package = PathDistribution(Path(path))
        packages.setdefault(package.name, package)  # the first on the path is the one that is imported
    with _without_working_folder():
        for _, package in sorted(packages.items()):
            _Package(package, found, taken).load()
    return found


@contextlib.contextmanager
def _without_working_folder() -> Iterator[None]:
    """While this lasts nothing is imported from the working folder, which ``python -m`` puts first: it may be what is checked."""
    first = sys.path[0] if sys.path else None
    try:
        here = first is not None and (not first or os.path.samefile(first, os.curdir))  # noqa: PTH121
    except OSError:
        here = False
    if here:
        del sys.path[0]
    try:
        yield
    finally:
        if here and first is not None:
            sys.path.insert(0, first)


class _Package:
    """One installed package on its way into ``found``."""

    def __init__(self, package: PathDistribution, found: Installed, taken: Collection[str]) -> None:
        self.package = package
        self.found = found
        self.taken = taken
        self.family = package.name

    def load(self) -> None:
        """Add its rules; what cannot be used becomes a problem, and the rest goes on."""
        for entry in self.package.entry_points:
            if entry.group == GROUP:
                try:
                    self._entry(entry.name, entry.value)
                except _Unusable as error:
                    self._problem(f"entry point {entry.name} = {entry.value}", error)

    def _problem(self, what: str, error: _Unusable) -> None:
        self.found.problems.append(f"rules of {self.family} {self.package.version} ({what}): {error}")

    def _entry(self, prefix: str, value: str) -> None:
        if not _PREFIX.fullmatch(prefix) or prefix.startswith(_OURS):
            raise _Unusable(f'codes must begin with two or three capital letters, other than {_OURS}, not with "{prefix}"')
        if prefix in self.found.prefixes:
            others = next((row.family for row in self.found.rows.values() if row.code[:-3] == prefix), "another package")
            raise _Unusable(f"codes that begin with {prefix} are those of {others}")
        package = _imported(value)
        folders = list(getattr(package, "__path__", ()))
        modules = {name: folder for folder in folders for name in sorted(os.listdir(folder)) if _is_rule(name, prefix) and folder}
        if not modules:
            raise _Unusable(f"there is no module {prefix.lower()}001_name.py in this package")
        self.found.prefixes.append(prefix)
        for file, folder in modules.items():
            try:
                self._rule(file, folder, f"{value}.{file[:-3]}", getattr(package, "URL", None))
            except _Unusable as error:
                self._problem(file, error)
        for folder in folders:
            self._knowledge(f"{folder}{os.sep}knowledge.toml")

    def _rule(self, file: str, folder: str, module: str, url: str | None) -> None:
        rule: Any = getattr(_imported(module), "RULE", None)
        _check(rule, file)
        code, name = rule.code, rule.name
        known = self.found.rows.get(code)
        if known is not None:
            raise _Unusable(f"{code} is declared in {known.file} already")
        if name in self.taken or any(row.name == name for row in self.found.rows.values()):
            raise _Unusable(f"there is another rule with the name {name}")
        page = f"{folder}{os.sep}pages{os.sep}{code}-{name}.md"
        if not os.path.isfile(page):  # noqa: PTH113
            raise _Unusable(f"there is no page pages/{code}-{name}.md")
        address = url.replace("{code}", code).replace("{name}", name) if isinstance(url, str) else None
        row = Row(code, name, _LEVELS[rule.level.value], _FIXES[rule.fix], self.family, file, module, page, address)
        self.found.rows[code] = row
        self.found.families[self.family] = str(self.package.metadata["Summary"] or self.family)

    def _knowledge(self, path: str) -> None:
        if not os.path.isfile(path):  # noqa: PTH113
            return
        if sys.version_info >= (3, 11):
            import tomllib
        else:
            import tomli as tomllib
        try:
            with open(path, "rb") as opened:  # noqa: PTH123
                self.found.knowledge[f"knowledge.toml of {self.family}"] = tomllib.load(opened)
        except (OSError, ValueError) as error:
            self._problem("knowledge.toml", _Unusable(str(error)))


def _imported(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except (Exception, SystemExit) as error:  # whatever its code does
        raise _Unusable(f"{module} cannot be imported: {type(error).__name__}: {error}") from error


def _is_rule(file: str, prefix: str) -> bool:
    return re.fullmatch(rf"{prefix.lower()}\d{{3}}_\w+\.py", file) is not None


def _check(rule: Any, file: str) -> None:
    """Raise unless ``rule`` is a declaration as :class:`trainlint.authoring.Rule` makes it, and the one of this file."""
    stem = file[:-3]
    code, name = stem.partition("_")[0].upper(), stem.partition("_")[2].replace("_", "-")
    if rule is None or not hasattr(rule, "finder"):
        raise _Unusable("the module must declare RULE = trainlint.authoring.Rule(...)")
    if rule.code != code or rule.name != name:
        raise _Unusable(f'the file must declare the code "{code}" and the name "{name}", not "{rule.code}" and "{rule.name}"')
    if not _NAME.fullmatch(name):
        raise _Unusable(f'"{name}" is no name of a rule')
    if getattr(rule.level, "value", None) not in _LEVELS:
        raise _Unusable(f"the level must be one of trainlint.authoring.Level, not {rule.level!r}")
    if rule.fix not in _FIXES:
        raise _Unusable(f"fix must be one of {', '.join(_FIXES)}, not {rule.fix!r}")
    if rule.certainty not in _CERTAINTIES:
        raise _Unusable(f"certainty must be one of {', '.join(_CERTAINTIES)}, not {rule.certainty!r}")
    if not isinstance(rule.needs, tuple) or not rule.needs or not all(isinstance(need, str) for need in rule.needs):
        raise _Unusable("needs must be a tuple of at least one word")
    if rule.finder is None:
        raise _Unusable("the rule has no @RULE.find function")
