"""Which versions of a framework a project says that it runs with: in its requirements, its packaging, its environment."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator

from trainlint.config.stamps import stamps
from trainlint.config.target import version_range
from trainlint.regular import read_regular

#: The files in which a project says so.
FILES = ("requirements.txt", "pyproject.toml", "setup.cfg", "setup.py", "environment.yml", "environment.yaml")
#: Larger ones are none of these.
_MOST = 200_000
#: What conda calls things.
_OTHER_NAMES = {"torch": "(?:torch|pytorch)"}
_ONE = r"(?:===|==|~=|!=|<=|>=|<|>|=)\s*v?\d[\w.*+!-]*"


def declared(framework: str, folder: str, top: str) -> tuple[str, ...]:
    """The version ranges that the nearest folder from ``folder`` up to ``top`` asks for, where any says something.

    What lies around a repository of its own does not count.
    """
    while True:
        found = _in_folder(framework, folder)
        above = os.path.dirname(folder)  # noqa: PTH120
        if found or len(folder) <= len(top) or above == folder or os.path.exists(os.path.join(folder, ".git")):  # noqa: PTH110, PTH118
            return found
        folder = above


def state(folders: Iterable[str]) -> list[tuple[str, int, int]]:
    """What changes when one of these files changes, in any of the folders."""
    return stamps(os.path.join(folder, name) for folder in sorted(folders) for name in FILES)  # noqa: PTH118


def _in_folder(framework: str, folder: str) -> tuple[str, ...]:
    found: list[str] = []
    for path, _, changed in state([folder]):
        found += _in_file(framework, path, changed)
    return tuple(dict.fromkeys(found))


@functools.lru_cache(maxsize=1024)
def _in_file(framework: str, path: str, changed: int) -> tuple[str, ...]:  # noqa: ARG001 - `changed` tells versions of the file apart
    try:
        data = read_regular(path, _MOST)
    except OSError:
        return ()
    if len(data) > _MOST:
        return ()
    return tuple(specifiers(framework, data.decode("utf-8", "replace")))


def specifiers(framework: str, text: str) -> Iterator[str]:
    """The version ranges that stand behind a framework's name in a text, in whatever format: PEP 440, Poetry's, conda's."""
    name = _OTHER_NAMES.get(framework, re.escape(framework))
    before = rf"(?<![\w./@-]){name}\s*(?:\[[\w,\s-]*\]\s*)?"
    for line in text.splitlines():
        bare = line.partition("#")[0]
        for match in re.finditer(rf"{before}\(?({_ONE}(?:\s*,\s*{_ONE})*)", bare):
            yield from _valid(match[1])
        for match in re.finditer(rf"""^{name}\s*=\s*(?:\{{\s*version\s*=\s*)?["']([^"']+)["']""", bare):
            yield from _valid(match[1])


def _valid(written: str) -> Iterator[str]:
    clauses = [_clause(clause.strip()) for clause in written.split(",") if clause.strip()]
    specifier = ",".join(clauses)
    try:
        version_range(specifier)
    except ValueError:
        return
    yield specifier


def _clause(written: str) -> str:
    """One clause as PEP 440 has it: without a local label; ``=1.13`` of conda, ``^1.13`` and ``~1.13`` of Poetry spelled out."""
    clause = re.sub(r"\s|\+.*", "", written)
    match = re.fullmatch(r"(=|\^|~|)v?(\d+)((?:\.\d+)*)(?:\.\*)?", clause)
    if match is None:
        return clause
    how, major, rest = match.groups()
    if how == "^":
        return f">={major}{rest},<{int(major) + 1}"
    if how == "~":
        return f"~={major}{rest}" if rest else f"=={major}.*"
    return f"=={major}{rest}.*"
