"""Several origins of settings, one :class:`Settings`. Only imported when there is more than the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trainlint.codes import CODES, LEVEL_WORDS, UNSETTLED, by_specificity, resolve
from trainlint.config.checking import Checker
from trainlint.config.errors import ConfigError, Problem
from trainlint.config.find import KnowledgeCheck, Overrides, is_file_argument
from trainlint.config.options import OPTIONS
from trainlint.config.reading import parse
from trainlint.config.search import Found
from trainlint.config.settings import COMMAND_LINE, Settings

_AND_MORE = f" and {COMMAND_LINE}"
_SELECTING = ("select", "ignore", "extend-select", "extend-ignore")
_ADDING = ("ignore", "extend-select", "extend-ignore", "extend-exclude")  # flags that add to the file's list


def merge(root: Path, found: Found | None, overrides: Overrides, check_knowledge: KnowledgeCheck | None) -> Settings:
    """Return the settings of the file that was found or named (None: there is none) under the overrides.

    Raises :class:`ConfigError` with all mistakes of all origins.
    """
    problems: list[Problem] = []

    def checked(table: Mapping[str, Any], where: str, prefix: str = "") -> dict[str, Any]:
        checker = Checker(where, prefix, check_knowledge)
        values = checker.check(table)
        problems.extend(checker.problems)
        return values

    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    if found is not None:
        values = checked(found.table, str(found.path), "tool.trainlint." if found.path.name == "pyproject.toml" else "")
        origins = dict.fromkeys(values, str(found.path))
    pairs = [argument for argument in overrides.config if not is_file_argument(argument)]
    for upper in [checked(_parse_pair(pair), f"--config {pair}") for pair in pairs]:
        _lay_over(values, upper, origins)
    # A command line parser may well hand over tuples where TOML has arrays.
    flags = {key: list(value) if isinstance(value, tuple) else value for key, value in overrides.flags.items()}
    checked_flags = checked(flags, COMMAND_LINE)
    if problems:
        raise ConfigError(problems)
    return _settings(root, found.path if found else None, values, checked_flags, origins)


def _parse_pair(argument: str) -> dict[str, Any]:
    try:
        return parse(argument, f"--config {argument}")
    except ConfigError as error:
        key, _, value = (part.strip() for part in argument.partition("="))
        if key in OPTIONS and value.replace("-", "").isalnum():
            problem = error.problems[0]
            hint = f"{problem.message}; a string needs quotes: '{key} = \"{value}\"'"
            raise ConfigError([problem._replace(message=hint)]) from None
        raise


def _lay_over(values: dict[str, Any], upper: Mapping[str, Any], origins: dict[str, str], adding: tuple[str, ...] = ()) -> None:
    """Write ``upper``, from the command line, into ``values``.

    Tables are merged, lists of the options ``adding`` are appended, everything else is replaced.
    """
    for key, value in upper.items():
        lower: Any = values.get(key)
        kept = bool(lower) and (isinstance(value, dict) or key in adding)
        if kept:
            values[key] = _merged(lower, value) if isinstance(value, dict) else (*lower, *value)
        else:
            values[key] = value
        alone = not kept or origins[key] == COMMAND_LINE
        origins[key] = COMMAND_LINE if alone else f"{origins[key].removesuffix(_AND_MORE)}{_AND_MORE}"


def _merged(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(lower)
    for key, value in upper.items():
        inner = both.get(key)
        both[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return both


def _settings(root: Path, file: Path | None, values: dict[str, Any], flags: dict[str, Any], origins: dict[str, str]) -> Settings:
    code_levels = _code_levels({**values.get("levels", {}), **flags.get("levels", {})})
    off = {code for code, level in code_levels.items() if level == "off"}
    preview = bool(flags.get("preview", values.get("preview", False)))
    codes = resolve(*_selection(values), default=_default(code_levels, preview=preview)) - off
    named = resolve(*_selection(values), default=frozenset()) - off
    if any(key in flags for key in _SELECTING):
        codes = resolve(*_selection(flags), default=codes)  # the command line has the last word
        named = resolve(*_selection(flags), default=named)
    if "select" in flags:
        for key in _SELECTING:
            values.pop(key, None)
            origins.pop(key, None)
    _lay_over(values, flags, origins, _ADDING)
    code_levels = {code: level for code, level in code_levels.items() if level != "off"}
    fields = {OPTIONS[key].field: value for key, value in values.items()}
    likely = codes if preview else codes & named
    return Settings(root, file, **fields, codes=codes, likely=likely, code_levels=code_levels, origins=origins)


def _selection(values: Mapping[str, Any]) -> tuple[Any, Any, Any, Any]:
    select, *others = (values.get(key) for key in _SELECTING)
    ignore, extend_select, extend_ignore = (other or () for other in others)
    return select, ignore, extend_select, extend_ignore


def _code_levels(levels: Mapping[str, str]) -> dict[str, str]:
    """Return code -> level word for the codes that ``levels`` speaks of; the more specific selector wins."""
    return {code: levels[selector] for _, selector, codes in by_specificity(levels) for code in codes}


def _default(code_levels: Mapping[str, str], *, preview: bool) -> frozenset[str]:
    """Return what is on when nothing is selected: the settled rules (all with ``preview``) that are errors or warnings."""
    unsettled = frozenset() if preview else UNSETTLED - code_levels.keys()
    in_force = {code: code_levels.get(code) or LEVEL_WORDS[row.level] for code, row in CODES.items()}
    return frozenset(code for code, level in in_force.items() if level in {"error", "warning"}) - unsettled
