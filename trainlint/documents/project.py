"""A ``pyproject.toml``: which packages a project asks for, and which Python. TOML is parsed by the standard library's parser.

That parser keeps no places: a requirement is looked for in the text as it is quoted there; one that is not found so is left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from trainlint.documents.requirements import Wanted, requirement
from trainlint.finding import Spot

#: A key of TOML, and what it is set to in its line.
_SET = re.compile(r"\s*(?P<whole>(?P<quote>['\"]?)(?P<key>[^\s'\"=]+)(?P=quote)\s*=\s*(?P<value>.*\S))")


@dataclass
class Project:
    """What a project says. ``groups``: the packages of ``dependencies``, and of each extra and group, all by their names.

    ``python`` is None when the file does not say which versions of Python it is for. ``sources`` are the packages that come from
    elsewhere (a repository, a path, an index of their own). ``is_overriding``: it says itself what some packages ask for.
    ``files`` are the requirements files that setuptools reads for it, as they are written.
    """

    python: SpecifierSet | None = None
    python_spot: Spot | None = None
    groups: dict[str, tuple[Wanted, ...]] = field(default_factory=dict)
    sources: frozenset[str] = frozenset()
    is_package: bool = False
    is_overriding: bool = False
    files: tuple[str, ...] = ()


def read_project(text: str) -> Project | None:
    """What a ``pyproject.toml`` says; None for what is none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):  # numbers that are too long are another mistake than bad TOML
        return None
    return _Reading(text).project(data)


class _Reading:
    def __init__(self, text: str) -> None:
        self._quotations: dict[str, list[Spot]] = {}
        self._set: dict[str, tuple[Spot, Spot]] = {}
        lines = text.split("\n")
        for quote in "\"'":
            for number, line in enumerate(lines, 1):
                start = 0
                for outside, inside in pairwise(line.encode().split(quote.encode())[:-1]) if quote in line else ():
                    start += len(outside)
                    spot = Spot(number, start, number, start + len(inside) + 2)
                    self._quotations.setdefault(inside.decode(), []).append(spot)
                    start += 1
        for number, line in enumerate(lines, 1):
            found = _SET.match(line)
            if found is not None:
                spots = (_spot(number, line, found.span(each)) for each in ("whole", "value"))
                self._set.setdefault(found["key"], (next(spots), next(spots)))

    def project(self, data: Mapping[str, Any]) -> Project:
        read = Project()
        project, tool = _table(data, "project"), _table(data, "tool")
        poetry = _table(tool, "poetry")
        read.sources = frozenset(_table(_table(tool, "uv"), "sources"))
        read.is_overriding = bool(_table(tool, "uv").get("override-dependencies"))
        read.is_package = bool(project) or bool(_table(data, "build-system"))
        read.files = tuple(_files(_table(_table(tool, "setuptools"), "dynamic")))
        self._python(read, project.get("requires-python"), "requires-python")
        self._group(read, "", project.get("dependencies"))
        for name, extra in {**_table(project, "optional-dependencies"), **_table(data, "dependency-groups")}.items():
            self._group(read, str(name), extra)
        if poetry:
            wanted = _table(poetry, "dependencies")
            self._python(read, _caret(wanted.get("python")), "python")
            read.groups[""] = read.groups.get("", ()) + tuple(self._of_poetry(wanted))
        return read

    def _python(self, read: Project, text: object, key: str) -> None:
        if not isinstance(text, str):
            return
        try:
            read.python = None if re.search(r"\d{9}", text) else SpecifierSet(text)
        except InvalidSpecifier:
            return
        read.python_spot = self._set[key][1] if key in self._set else None

    def _group(self, read: Project, name: str, texts: object) -> None:
        found = []
        for text in texts if isinstance(texts, list) else ():
            spot = self._quoted(text) if isinstance(text, str) else None
            wanted = requirement(text, spot) if spot is not None else None
            if wanted is not None:
                found.append(wanted)
        if found:
            read.groups[name] = tuple(found)

    def _of_poetry(self, wanted: Mapping[str, Any]) -> Iterator[Wanted]:
        for name, value in wanted.items():
            versions = _caret(value)
            spot = self._set[name][0] if name in self._set else None
            if name != "python" and versions is not None and spot is not None:
                found = requirement(f"{name}{versions}", spot)
                if found is not None:
                    yield found

    def _quoted(self, text: str) -> Spot | None:
        """Where a text stands in quotes of which nothing was taken yet."""
        places = self._quotations.get(text)
        return places.pop(0) if places else None


def _spot(line: int, text: str, span: tuple[int, int]) -> Spot:
    start, end = span
    return Spot(line, len(text[:start].encode()), line, len(text[:end].encode()))


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _files(dynamic: Mapping[str, Any]) -> Iterator[str]:
    """The files of ``dependencies = {file = ["requirements.txt"]}``, and of each extra."""
    for said in (_table(dynamic, "dependencies"), *_tables(_table(dynamic, "optional-dependencies"))):
        named = said.get("file")
        yield from (each for each in (named if isinstance(named, list) else [named]) if isinstance(each, str))


def _tables(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (_table(data, key) for key in data)


def _caret(value: object) -> str | None:
    """Poetry's way to write versions as everybody else does; None for what is not written as versions alone."""
    if not isinstance(value, str) or "||" in value:
        return None
    parts = [_one(part.strip()) for part in value.split(",")]
    return None if None in parts else ",".join(part for part in parts if part)


def _one(text: str) -> str | None:
    if text == "*":
        return ""
    found = re.fullmatch(r"([~^]?)(\d{1,9}(?:\.\d{1,9}){0,5})", text)
    if found is None:
        return text if re.fullmatch(r"(?:[<>]=?|[=!]=)\s*[\w.+*]+", text) else None
    numbers = [int(each) for each in found[2].split(".")]
    if not found[1]:
        return f"=={found[2]}"
    kept = (
        next((at for at, each in enumerate(numbers) if each), len(numbers) - 1) if found[1] == "^" else min(1, len(numbers) - 1)
    )
    upper = ".".join(map(str, [*numbers[:kept], numbers[kept] + 1]))
    return f">={found[2]},<{upper}"
