"""The list of a sweep: which repositories, and what each is called."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

#: What stands for itself in the name of a file.
_PLAIN = re.compile(r"[^\w.+-]", re.ASCII)
_LONGEST = 100
_KEYS = ("path", "name", "commit")


class WrongList(ValueError):
    """A list that cannot be understood; the text is the sentence that says where and why."""


class Repository(NamedTuple):
    """A folder to check: its absolute path, what it is called, the commit it is at if somebody says so, the name of its files."""

    path: str
    name: str
    commit: str | None
    stem: str


def repositories(sources: Iterable[tuple[str, str]]) -> list[Repository]:
    """The repositories of some sources (name of the source, its text), each folder once.

    A line is a folder, or a JSON object with ``path`` and perhaps ``name`` and ``commit``; empty lines and those that begin with
    ``#`` say nothing. Folders count from the working directory. Raises :class:`WrongList`.
    """
    rows: dict[str, dict[str, str]] = {}
    for source, text in sources:
        for number, line in enumerate(text.split("\n"), 1):
            row = _row(line.strip(), f"{source}:{number}")
            if row is not None:
                path = row["path"] = os.path.abspath(row["path"])  # noqa: PTH100 - links keep their names
                if rows.setdefault(path, row) != row:
                    raise WrongList(f"{source}:{number}: {path} is in the list already, with another name or commit")
    return list(_named(rows))


def row_of(folder: str) -> str:
    """A folder as a line of a list."""
    return json.dumps({"path": folder})


def _row(line: str, where: str) -> dict[str, str] | None:
    if not line or line.startswith("#"):
        return None
    row = {"path": line}
    if line.startswith("{"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise WrongList(f"{where}: this is not JSON: {error}") from None
        row = {key: value for key, value in row.items() if value is not None}
    unknown = sorted(row.keys() - set(_KEYS))
    if unknown:
        raise WrongList(f"{where}: unknown key {unknown[0]!r}: a row has path, and perhaps name and commit")
    if not isinstance(row.get("path"), str) or not row["path"] or "\0" in row["path"]:
        raise WrongList(f"{where}: path must be the name of a folder")
    wrong = [key for key, value in row.items() if not isinstance(value, str) or not value]
    if wrong:
        raise WrongList(f"{where}: {wrong[0]} must be a text that is not empty")
    return row


def _named(rows: dict[str, dict[str, str]]) -> Iterator[Repository]:
    names = {path: row.get("name") or Path(path).name or path for path, row in rows.items()}
    stems = {path: _stem(name) for path, name in names.items()}
    shared = Counter(stem.lower() for stem in stems.values())  # not every file system tells upper from lower case
    for path, row in rows.items():
        stem = stems[path]
        if shared[stem.lower()] > 1:
            stem += "-" + hashlib.sha256(os.fsencode(path)).hexdigest()[:10]
        yield Repository(path, names[path], row.get("commit"), stem)


def _stem(name: str) -> str:
    """A name as a file can have it, whatever it holds: no folder above, nothing hidden."""
    stem = _PLAIN.sub("+", name)[:_LONGEST]
    return "_" + stem if stem[0] in ".-" else stem
