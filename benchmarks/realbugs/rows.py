"""The rows of the benchmark: one real bug each, as facts about a public repository."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
SCOPES = ("local", "function", "cross-function", "cross-file")

_COMMIT = re.compile(r"[0-9a-f]{40}")
_CODE = re.compile(r"TL\d{3}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w-]*/[\w.-]*[\w-][\w.-]*", re.ASCII)


@dataclass(frozen=True)
class Row:
    """One bug that a maintainer repaired.

    ``line`` to ``end_line`` (1-based) are in ``path`` at the commit ``parent``, where a reviewer would put the comment;
    ``function`` is the dotted name of what is around them, ``<module>`` at module level, None when that is unknown.
    ``fixed_line`` is where nothing may be reported any more at the commit ``fix``, in ``fixed_path`` if the file has
    another name there; None when the code is gone. ``codes`` are the rules that name the bug, most exact first; ``sure``
    (0 to 1) says how sure the reader was of it. ``decidable``: the repository's source alone shows the mistake, or else
    ``why`` says what is not to be seen.
    """

    id: str
    repo: str
    parent: str
    fix: str
    path: str
    line: int
    end_line: int
    function: str | None
    scope: str
    sure: float
    what: str
    how_fixed: str
    codes: tuple[str, ...]
    fixed_path: str | None
    fixed_line: int | None
    decidable: bool
    why: str

    @property
    def family(self) -> str:
        """The family that the first code belongs to, as ``TL7``."""
        return self.codes[0][:3]


KEYS = tuple(field.name for field in fields(Row))


def read(path: Path) -> tuple[list[Row], list[str]]:
    """Return the rows of a file, and what is wrong with those lines that are none. OSError when there is no such file."""
    rows, wrong = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if line.strip():
            try:
                rows.append(row_of(json.loads(line)))
            except (ValueError, RecursionError) as error:
                wrong.append(f"line {number}: {'not JSON' if isinstance(error, json.JSONDecodeError) else error}")
    return rows, wrong


def row_of(given: Any) -> Row:
    """Return as a row what was read from JSON. ValueError names a key that is missing, unknown or impossible, and no value."""
    if not isinstance(given, dict):
        raise ValueError("not an object")  # noqa: TRY004 - whoever reads a file asks whether the line is right, not why
    for key in KEYS:
        if key not in given:
            raise ValueError(f"no {key}")
        if not _possible(key, given[key]):
            raise ValueError(f"{key} is not what it must be")
    if unknown := given.keys() - set(KEYS):
        raise ValueError(f"unknown keys: {', '.join(sorted(unknown))}")
    if given["end_line"] < given["line"]:
        raise ValueError("end_line comes before line")
    return Row(**{**given, "codes": tuple(given["codes"])})


def _possible(key: str, value: Any) -> bool:
    if value is None:
        return key in {"function", "fixed_path", "fixed_line"}
    match key:
        case "line" | "end_line" | "fixed_line":
            return type(value) is int and value >= 1
        case "sure":
            return type(value) in {int, float} and 0 <= value <= 1
        case "decidable":
            return type(value) is bool
        case "codes":
            return (
                isinstance(value, list) and bool(value) and all(isinstance(code, str) and _CODE.fullmatch(code) for code in value)
            )
    if not isinstance(value, str):
        return False
    match key:
        case "repo":
            return _REPOSITORY.fullmatch(value) is not None
        case "parent" | "fix":
            return _COMMIT.fullmatch(value) is not None
        case "path" | "fixed_path":
            return inside(value)
        case "scope":
            return value in SCOPES
    return bool(value) or key in {"how_fixed", "why"}


def inside(path: str) -> bool:
    """Whether a path of a repository, with slashes, names a place in the folder that it is put into."""
    parts = PurePosixPath(path).parts
    return bool(parts) and "\0" not in path and not path.startswith("/") and not {"..", ".git"}.intersection(parts)


# ---- halves ----------------------------------------------------------------------------------------------------------


@cache
def _split() -> tuple[frozenset[str], dict[str, str]]:
    """The projects whose bugs were known before there was an exam; and for other names of a project, the one that counts."""
    table = tomllib.loads((HERE / "split.toml").read_text(encoding="utf-8"))
    names = {name.lower(): min(group).lower() for group in table["same"] for name in group}
    return frozenset(name.lower() for name in table["known"]), names


def project_of(repo: str) -> str:
    """The lower-case name under which a repository is counted: one name for a repository, its older names and its forks."""
    return _split()[1].get(repo.lower(), repo.lower())


def known_before(repo: str) -> bool:
    """Whether the bugs of a repository were known to those who built trainlint before there was an exam."""
    return project_of(repo) in _split()[0]


def half_of(repo: str) -> str:
    """Return the half that all rows of a repository belong to: "practice" for known ones and for one in six, else "exam"."""
    number = int(hashlib.sha256(project_of(repo).encode()).hexdigest(), 16)
    return "practice" if known_before(repo) or number % 6 == 0 else "exam"
