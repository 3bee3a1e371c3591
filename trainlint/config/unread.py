"""Sections for trainlint in ``setup.cfg`` and ``tox.ini``: they are not read, and the user is told what to write instead."""

from __future__ import annotations

import configparser
import json
import re
from collections.abc import Iterator
from pathlib import Path

from trainlint.config.find import SIZE_LIMIT
from trainlint.config.options import OPTIONS
from trainlint.regular import read_regular

_SECTIONS = ("trainlint", "tool:trainlint", "tool.trainlint")
_FALSE = {"false", "no", "off", "0"}


def warnings(path: Path) -> Iterator[str]:
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
        elif kind in {"count", "seconds"} and text.isdecimal():
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
