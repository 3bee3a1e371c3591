"""From the bytes of a configuration to a plain table. Only imported once there is something to read."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from trainlint.config.errors import ConfigError, Problem
from trainlint.config.search import SIZE_LIMIT, read_bytes

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
