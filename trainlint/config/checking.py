"""Every value of a configuration against the table of options; every mistake is collected, none stops the check."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from trainlint.codes import UnknownSelector, expand_selectors
from trainlint.config.errors import Problem, did_you_mean, quoted
from trainlint.config.find import KnowledgeCheck
from trainlint.config.options import LEVELS, OPTIONS, Option
from trainlint.config.reading import kind_of
from trainlint.config.target import FRAMEWORKS, normal_name, version_range

MOST_JOBS = 256
"""No machine needs more; a strange repository may not start thousands of processes."""

DEEPEST_KNOWLEDGE = 16
"""Levels of tables and arrays; the readers of the tables recurse."""


class Checker:
    """Checks the tables of one origin; ``problems`` grows with every mistake.

    ``where`` names the origin (a file, a part of the command line), ``prefix`` is what stands before its keys.
    """

    def __init__(self, where: str, prefix: str = "", check_knowledge: KnowledgeCheck | None = None) -> None:
        self.problems: list[Problem] = []
        self._where = where
        self._prefix = prefix
        self._check_knowledge = check_knowledge
        self._checks: Mapping[str, Callable[[Option, str, Any], Any]] = {
            "selectors": lambda _, key, value: self._selectors(key, value),
            "selector table": lambda _, key, value: self._selector_table(key, value),
            "strings": lambda _, key, value: self._globs(key, value),
            "boolean": lambda _, key, value: self._boolean(key, value),
            "choice": lambda option, key, value: self._choice(key, value, option.choices),
            "file": lambda _, key, value: self._file(key, value),
            "count": lambda _, key, value: self._count(key, value),
            "levels": lambda _, key, value: self._levels(key, value),
            "versions": lambda _, key, value: self._versions(key, value),
            "tables": lambda _, key, value: self._knowledge(key, value),
        }

    def check(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return option key -> value as :class:`Settings` holds it; what is wrong is in ``problems`` and of no defined value."""
        values = {}
        for key, value in table.items():
            option = OPTIONS.get(key)
            if option is None:
                self._wrong(dotted(key), f"there is no such option{did_you_mean(key, list(OPTIONS))}")
            else:
                values[key] = self._checks[option.kind](option, key, value)
        return values

    def _wrong(self, key: str, message: str) -> None:
        self.problems.append(Problem(self._where, self._prefix + key, message))

    def _of_type(self, key: str, value: Any, wanted: type, name: str) -> bool:
        fits = isinstance(value, wanted) and not (wanted is int and isinstance(value, bool))
        if not fits:
            self._wrong(key, f"must be {name}, not {kind_of(value)}")
        return fits

    def _boolean(self, key: str, value: Any) -> bool:
        return self._of_type(key, value, bool, "a boolean (true or false)") and bool(value)

    def _count(self, key: str, value: Any) -> int:
        if not self._of_type(key, value, int, "an integer"):
            return 1
        if not 1 <= value <= MOST_JOBS:
            self._wrong(key, f"must be between 1 and {MOST_JOBS}, not {value}")
        return int(value)

    def _choice(self, key: str, value: Any, choices: tuple[str, ...]) -> str:
        if self._of_type(key, value, str, "a string") and value not in choices:
            self._wrong(key, f'"{value}" is none of {quoted(choices)}{did_you_mean(value, choices)}')
        return str(value)

    def _file(self, key: str, value: Any) -> str:
        if self._of_type(key, value, str, "a string") and (not value or "\0" in value):
            self._wrong(key, "must be the name of a file")
        return str(value)

    def _strings(self, key: str, value: Any) -> tuple[str, ...]:
        if not self._of_type(key, value, list, "an array of strings"):
            return ()
        items = enumerate(value)
        return tuple(item for index, item in items if self._of_type(f"{key}[{index}]", item, str, "a string"))

    def _globs(self, key: str, value: Any) -> tuple[str, ...]:
        strings = self._strings(key, value)
        for text in strings:
            self._glob(key, text)
        return strings

    def _glob(self, key: str, text: str) -> None:
        import warnings

        import pathspec

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # of its regular expressions, which are not used
                pathspec.GitIgnoreSpec.from_lines([text])
        except (ValueError, re.error):  # the library lets some errors of its regular expressions through
            self._wrong(key, f'"{text}" is not a glob as .gitignore has them')

    def _selectors(self, key: str, value: Any) -> tuple[str, ...]:
        strings = self._strings(key, value)
        for text in strings:
            self._selector(key, text)
        return strings

    def _selector(self, key: str, text: str) -> None:
        try:
            expand_selectors([text])
        except UnknownSelector as error:
            self._wrong(key, str(error))

    def _table(self, key: str, value: Any) -> dict[str, Any]:
        return value if self._of_type(key, value, dict, "a table") else {}

    def _selector_table(self, key: str, value: Any) -> dict[str, tuple[str, ...]]:
        table = {}
        for pattern, selectors in self._table(key, value).items():
            inner = dotted(key, pattern)
            self._glob(inner, pattern.removeprefix("!"))
            table[pattern] = self._selectors(inner, selectors)
        return table

    def _levels(self, key: str, value: Any) -> dict[str, str]:
        table = self._table(key, value)
        for selector, level in table.items():
            self._selector(dotted(key, selector), selector)
            self._choice(dotted(key, selector), level, LEVELS)
        return table

    def _versions(self, key: str, value: Any) -> dict[str, str]:
        ranges: dict[str, str] = {}
        for framework, specifier in self._table(key, value).items():
            inner, name = dotted(key, framework), normal_name(framework)
            if name not in FRAMEWORKS:
                self._wrong(inner, f"there is no framework of this name{did_you_mean(name, FRAMEWORKS)}")
            elif name in ranges:
                self._wrong(inner, f'"{name}" is given twice')
            elif self._of_type(inner, specifier, str, "a string"):
                ranges[name] = self._version_range(inner, specifier)
        return ranges

    def _version_range(self, key: str, specifier: str) -> str:
        try:
            version_range(specifier)
        except ValueError as error:
            self._wrong(key, str(error))
        return specifier

    def _knowledge(self, key: str, value: Any) -> dict[str, Any]:
        table = self._table(key, value)
        if _deeper_than(table, DEEPEST_KNOWLEDGE):
            self._wrong(key, f"is nested more than {DEEPEST_KNOWLEDGE} levels deep")
            return {}
        for inner, message in self._check_knowledge(table) if self._check_knowledge else ():
            self._wrong(f"{key}.{inner}", message)
        return table


def dotted(*keys: str) -> str:
    """Return the keys as one dotted TOML key, quoted where TOML wants it."""
    return ".".join(key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"' for key in keys)


def _deeper_than(table: dict[str, Any], limit: int) -> bool:
    """Tell whether values nest deeper than ``limit``, level by level: a recursion could itself go too deep."""
    level: list[Any] = [table]
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True
