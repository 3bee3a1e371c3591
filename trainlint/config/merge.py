"""From the texts of several configurations to one Settings: read, checked against the table of options, merged.

From the bytes of a configuration to a plain table. Only imported once there is something to read.

Every value of a configuration against the table of options; every mistake is collected, none stops the check.

Several origins of settings, one :class:`Settings`. Only imported when there is more than the defaults.

Sections for trainlint in ``setup.cfg`` and ``tox.ini`` are not read: the user is told what to write instead.
"""

from __future__ import annotations

import configparser
import contextlib
import glob
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from trainlint.codes import CODES, LEVEL_WORDS, UNSETTLED, UnknownSelector, by_specificity, expand_selectors, resolve
from trainlint.config.errors import ConfigError, Problem, did_you_mean, quoted
from trainlint.config.find import SIZE_LIMIT, Found, KnowledgeCheck, Overrides, is_file_argument, read_bytes
from trainlint.config.options import LEVELS, OPTIONS, Option
from trainlint.config.settings import COMMAND_LINE, Settings
from trainlint.config.target import FRAMEWORKS, normal_name, version_range
from trainlint.regular import read_regular

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"?|' + r"'[^'\n]*'?")
# The readers need quadratic time for keys of thousands of parts; nobody writes more than a handful.
_ENDLESS_KEY = re.compile(r"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){32}")


def read_table(path: Path) -> dict[str, Any] | None:
    """Return our table of a file: all of it, or ``tool.trainlint`` of a ``pyproject.toml`` (None if it has no such table).

    Raises :class:`ConfigError` for anything that is not readable TOML of reasonable size.
    """
    try:
        data = read_bytes(path)
    except OSError as error:
        raise _broken(str(path), f"cannot be read: {error.strerror or error}") from None
    if len(data) > SIZE_LIMIT:
        raise _broken(str(path), f"is larger than {SIZE_LIMIT // 1024} kB, which no configuration needs")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _broken(str(path), f"is not UTF-8: byte 0x{data[error.start]:02x} in line {line}") from None
    table = parse(text, str(path))
    return table if path.name != "pyproject.toml" else _our_part(table, str(path))


def _our_part(table: dict[str, Any], where: str) -> dict[str, Any] | None:
    tool = table.get("tool")
    ours = tool.get("trainlint") if isinstance(tool, dict) else None
    if ours is not None and not isinstance(ours, dict):
        raise ConfigError([Problem(where, "tool.trainlint", f"must be a table, not {kind_of(ours)}")])
    return ours


def parse(text: str, where: str) -> dict[str, Any]:
    """Parse a TOML document; ``where`` names it in the :class:`ConfigError` raised when it is none."""
    if _ENDLESS_KEY.search(_STRING.sub("s", text)):
        raise _broken(where, "has a key of more than 32 parts")
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise _broken(where, "is nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError is one; so is a number of too many digits
        raise _broken(where, f"is not valid TOML: {error}") from None


def _broken(where: str, message: str) -> ConfigError:
    return ConfigError([Problem(where, "", message)])


def kind_of(value: object) -> str:
    """Return what TOML calls a value of this type, with its article (``a string``, ``an array``)."""
    names = {bool: "a boolean", int: "an integer", float: "a float", str: "a string", list: "an array", dict: "a table"}
    return names.get(type(value), "a date or time")


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
            "seconds": lambda _, key, value: self._seconds(key, value),
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

    def _seconds(self, key: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self._wrong(key, f"must be a number, not {kind_of(value)}")
        elif not 0 < value < float("inf"):
            self._wrong(key, f"must be a number of seconds, more than 0, not {value}")
        else:
            return float(value)
        return 1.0

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


_Values = dict[str, Any]  # option key -> value as Settings holds it
_SELECTING = ("select", "ignore", "extend-select", "extend-ignore")
_ADDING = ("ignore", "extend-select", "extend-ignore", "extend-exclude")  # flags that add to the file's list
_EXTENDING = ("extend-select", "extend-ignore", "extend-exclude")  # what adds to the list of the base


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
    files = with_bases(found) if found is not None else []
    tables = [checked(file.table, str(file.path), _prefix(file.path)) for file in files]
    if not problems:
        for file, upper in reversed([*zip(files, tables, strict=True)]):
            values.pop("extend", None)
            own = upper if file is found or file.path.parent == root else _moved(upper, file.path.parent, root)
            _lay_over(values, own, origins, str(file.path), _EXTENDING)
    pairs = [argument for argument in overrides.config if not is_file_argument(argument)]
    for pair in pairs:
        table = _parse_pair(pair)
        upper = checked(table, f"--config {pair}")
        problems += _outside_of_files(table, f"--config {pair}")
        _lay_over(values, upper, origins, COMMAND_LINE)
    # A command line parser may well hand over tuples where TOML has arrays.
    flags = {key: list(value) if isinstance(value, tuple) else value for key, value in overrides.flags.items()}
    checked_flags = checked(flags, COMMAND_LINE)
    problems += _outside_of_files(flags, COMMAND_LINE)
    if problems:
        raise ConfigError(problems)
    return _settings(root, [file.path for file in files], values, checked_flags, origins)


def with_bases(found: Found) -> list[Found]:
    """Return a configuration file and those that it extends, the nearest first.

    Raises :class:`ConfigError` for a base that is missing, has no table of ours, or extends what extends it.
    """
    files = [found]
    while (base := _base_of(files[-1])) is not None:
        files.append(base)
        before = [os.path.realpath(file.path) for file in files[:-1]]
        if os.path.realpath(base.path) in before:
            circle = " -> ".join(str(file.path) for file in files[before.index(os.path.realpath(base.path)) :])
            raise _bad_base(files[-2].path, f"the files extend each other in a circle: {circle}")
    return files


def _base_of(file: Found) -> Found | None:
    written = file.table.get("extend")
    if not isinstance(written, str) or not written or "\0" in written:
        return None  # there is none, or the checker says what is wrong
    expanded = Path(os.path.expandvars(written))
    with contextlib.suppress(RuntimeError):  # nobody has such a home
        expanded = expanded.expanduser()
    path = Path(os.path.normpath(file.path.parent / expanded))
    # Said as it is written: a variable of the environment may be a secret.
    if not path.is_file():
        raise _bad_base(file.path, f'"{written}" is not a file; the path is relative to the folder of this one')
    table = read_table(path)
    if table is None:
        raise _bad_base(file.path, f'"{written}" has no table [tool.trainlint]')
    return Found(path, table)


def _bad_base(file: Path, message: str) -> ConfigError:
    return ConfigError([Problem(str(file), f"{_prefix(file)}extend", message)])


def _prefix(file: Path) -> str:
    """What stands before our keys in a file."""
    return "tool.trainlint." if file.name == "pyproject.toml" else ""


def _outside_of_files(table: Mapping[str, object], where: str) -> list[Problem]:
    return [Problem(where, "extend", "only a configuration file can extend another")] if "extend" in table else []


def _moved(values: _Values, folder: Path, root: Path) -> _Values:
    """Return the values of a base in ``folder`` with its paths and globs as they must be written in ``root``."""
    moved = dict(values)
    for key in {"baseline", "cache-dir"} & values.keys():
        moved[key] = str(folder / values[key])
    if "src" in values:
        moved["src"] = tuple(_seen_from(root, folder / name) for name in values["src"])
    for key in {"exclude", "extend-exclude", "advice-folders"} & values.keys():
        start = glob.escape(folder.as_posix()).replace("{", "[{]")
        moved[key] = tuple(f"{start}/{each.removeprefix('./')}" if _is_path(each) else each for each in values[key])
    if "per-file-ignores" in values:
        table = values["per-file-ignores"].items()
        moved["per-file-ignores"] = {_below(folder, pattern): selectors for pattern, selectors in table}
    return moved


def _seen_from(root: Path, path: Path) -> str:
    try:
        return os.path.relpath(path, root)
    except ValueError:  # several drives
        return str(path)


def _is_path(pattern: str) -> bool:
    """Tell whether a pattern of ``exclude`` is a path from the configuration's folder, not a name."""
    return "/" in pattern.rstrip("/") and not Path(pattern).is_absolute()


def _below(folder: Path, pattern: str) -> str:
    """Return a pattern of ``per-file-ignores`` in ``folder`` as one that holds from everywhere; a mere name holds as it is."""
    negation, written = pattern[: pattern.startswith("!")], pattern.removeprefix("!")
    if "/" not in written.removesuffix("/") or written.startswith("//"):
        return pattern
    start = re.sub(r"([*?\[\\])", r"\\\1", folder.as_posix().strip("/"))
    return f"{negation}//{start}/{written.removeprefix('/')}"


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


def _lay_over(
    values: _Values, upper: Mapping[str, Any], origins: dict[str, str], where: str, adding: tuple[str, ...] = ()
) -> None:
    """Write ``upper``, which comes from ``where``, into ``values``.

    Tables are merged, lists of the options ``adding`` are appended, everything else is replaced.
    """
    for key, value in upper.items():
        lower: Any = values.get(key)
        kept = bool(lower) and (isinstance(value, dict) or key in adding)
        if kept:
            values[key] = _merged(lower, value) if isinstance(value, dict) else (*lower, *value)
        else:
            values[key] = value
        alone = not kept or origins[key] == where
        origins[key] = where if alone else f"{origins[key].removesuffix(f' and {where}')} and {where}"


def _merged(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(lower)
    for key, value in upper.items():
        inner = both.get(key)
        both[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return both


def _settings(root: Path, files: list[Path], values: _Values, flags: _Values, origins: dict[str, str]) -> Settings:
    code_levels = _code_levels({**values.get("levels", {}), **flags.get("levels", {})})
    off = {code for code, level in code_levels.items() if level == "off"}
    preview = bool(flags.get("preview", values.get("preview", False)))
    advice = bool(flags.get("advice", values.get("advice", False)))
    codes = resolve(*_selection(values), default=_default(code_levels, preview=preview, advice=advice)) - off
    named = resolve(*_selection(values), default=frozenset()) - off
    if any(key in flags for key in _SELECTING):
        codes = resolve(*_selection(flags), default=codes)  # the command line has the last word
        named = resolve(*_selection(flags), default=named)
    if "select" in flags:
        for key in _SELECTING:
            values.pop(key, None)
            origins.pop(key, None)
    _lay_over(values, flags, origins, COMMAND_LINE, _ADDING)
    code_levels = {code: level for code, level in code_levels.items() if level != "off"}
    fields: dict[str, Any] = {OPTIONS[key].field: value for key, value in values.items()}
    likely = codes if preview else codes & named
    file, bases = (files[0], tuple(files[1:])) if files else (None, ())
    fields |= {"codes": codes, "named": codes & named, "likely": likely, "code_levels": code_levels, "origins": origins}
    return Settings(root, file, bases, **fields)


def _selection(values: Mapping[str, Any]) -> tuple[Any, Any, Any, Any]:
    select, *others = (values.get(key) for key in _SELECTING)
    ignore, extend_select, extend_ignore = (other or () for other in others)
    return select, ignore, extend_select, extend_ignore


def _code_levels(levels: Mapping[str, str]) -> dict[str, str]:
    """Return code -> level word for the codes that ``levels`` speaks of; the more specific selector wins."""
    return {code: levels[selector] for _, selector, codes in by_specificity(levels) for code in codes}


def _default(code_levels: Mapping[str, str], *, preview: bool, advice: bool) -> frozenset[str]:
    """Return what is on when nothing is selected: the settled rules (all with ``preview``) that are errors or warnings.

    With ``advice`` those are on, too, that are advice.
    """
    unsettled = frozenset() if preview else UNSETTLED - code_levels.keys()
    wanted = {"error", "warning", "advice"} if advice else {"error", "warning"}
    in_force = {code: code_levels.get(code) or LEVEL_WORDS[row.level] for code, row in CODES.items()}
    return frozenset(code for code, level in in_force.items() if level in wanted) - unsettled


# -- sections in the files of other tools, which are not read -----------------------------------------------------------

_SECTIONS = ("trainlint", "tool:trainlint", "tool.trainlint")
_FALSE = {"false", "no", "off", "0"}


def unread_sections(path: Path) -> Iterator[str]:
    """Yield what is to be said of each of our sections in an INI file."""
    try:
        data = read_regular(path, SIZE_LIMIT)
    except OSError:
        return  # another tool's file is not ours to complain about
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(data.decode("utf-8", "replace"))
    except configparser.Error:
        return
    for section in filter(parser.has_section, _SECTIONS):
        wanted = "\n".join(f"    {line}" for line in _as_toml(dict(parser.items(section))))
        yield (
            f"warning: {path}: the section [{section}] is not read. Write into pyproject.toml"
            f' (into trainlint.toml without "tool.trainlint"):\n{wanted}'
        )


def _as_toml(values: dict[str, str | None]) -> list[str]:
    """Return the lines of TOML that say what a section of an INI file was to say."""
    plain, tables = ["[tool.trainlint]"], []
    for written, value in values.items():
        key = written.replace("_", "-")
        kind = OPTIONS[key].kind if key in OPTIONS else "file"
        text = (value or "").strip()
        if kind in {"selectors", "strings"}:
            plain.append(f"{key} = {_array(text)}")
        elif kind == "boolean":
            plain.append(f"{key} = {json.dumps(text.lower() not in _FALSE)}")
        elif kind == "count" and text.isdecimal():
            plain.append(f"{key} = {text}")
        elif kind in {"selector table", "levels", "versions"}:
            entries = [
                [part.strip() for part in re.split("[:=]", line, maxsplit=1)] for line in text.splitlines() if line.strip()
            ]
            tables += ["", f"[tool.trainlint.{key}]"]
            tables += [
                f"{_string(name)} = {_array(''.join(rest)) if kind == 'selector table' else _string(''.join(rest))}"
                for name, *rest in entries
            ]
        else:
            plain.append(f"{key} = {_string(text)}")
    return plain + tables


def _array(text: str) -> str:
    parts = text.replace(",", " ").split()
    return f"[{', '.join(map(_string, parts))}]"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
