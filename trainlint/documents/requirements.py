"""What a project asks for: lines of requirements, and what installers have locked.

The grammar of a requirement is that of :mod:`packaging`; options, links and paths are passed over.

What installers have locked: ``poetry.lock``, ``uv.lock``, ``pdm.lock``, ``Pipfile.lock``.

Installers see to it that what the packages say of each other holds. What they do not say, and what has no wheel, is left to us.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from trainlint.documents.shell import Command
from trainlint.documents.tree import Mapping
from trainlint.finding import Spot

if TYPE_CHECKING:
    from trainlint.documents.document import Document


class Wanted(NamedTuple):
    """A package and its versions. ``local`` is the build that is asked for (``cu118`` of ``2.1.0+cu118``), or empty.

    ``is_direct``: it is taken from an address (``torch @ https://…whl``).
    """

    name: str
    versions: SpecifierSet
    spot: Spot
    local: str = ""
    marker: str = ""
    is_direct: bool = False


_COMMENT = re.compile(r"(?:^|\s)#.*")
_OPTION = re.compile(r"\s--?(?:hash|global-option|config-settings)\b.*")
#: No version has such a number, and Python refuses to read longer ones.
_HUGE = re.compile(r"\d{19}")
_LOCAL = re.compile(r"\+([a-z0-9.]+)")


def requirement(text: str, spot: Spot) -> Wanted | None:
    """One requirement; None for what is none."""
    try:
        read = Requirement(text)
    except InvalidRequirement:
        return None
    if _HUGE.search(str(read.specifier)):
        return None
    local = next((found[1] for each in read.specifier if (found := _LOCAL.search(each.version))), "")
    return Wanted(canonicalize_name(read.name), read.specifier, spot, local, str(read.marker or ""), read.url is not None)


def read_requirements(text: str) -> list[Wanted]:
    """The requirements of a requirements file, a line each."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = _OPTION.sub("", _COMMENT.sub("", line)).rstrip("\\ \t\r")
        text = bare.strip()
        start = len(bare[: bare.index(text)].encode())
        wanted = requirement(text, Spot(number, start, number, len(bare.encode()))) if text else None
        if wanted is not None:
            found.append(wanted)
    return found


def installed_by(commands: Iterable[Command]) -> Iterator[Wanted]:
    """What commands of a script install with pip or uv."""
    for command in commands:
        texts = [word.text for word in command.words]
        if "install" in texts and any((text or "").rpartition("/")[2] in _INSTALLERS for text in texts[: texts.index("install")]):
            for word in command.words[texts.index("install") + 1 :]:
                wanted = requirement(word.text, word.spot) if word.text and not word.text.startswith("-") else None
                if wanted is not None:
                    yield wanted


_INSTALLERS = frozenset({"pip", "pip3", "uv", "pip3.9", "pip3.10", "pip3.11", "pip3.12", "pip3.13"})


_PACKAGE = re.compile(r"\[\[package\]\]\s*")
_KEY = re.compile(r"(?P<key>[\w-]+)\s*=\s*(?P<value>.*\S)\s*")


class Lock(NamedTuple):
    """The packages of a lock file, each with its one version, and the Python they are for."""

    wanted: tuple[Wanted, ...] = ()
    python: SpecifierSet | None = None
    python_spot: Spot | None = None


def read_lock(document: Document) -> Lock:
    """What a file says; nothing in one that cannot be read."""
    return _of_pipenv(document) if document.kind == "json" else _of_toml(document.text)


def _of_toml(text: str) -> Lock:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):  # numbers that are too long are another mistake than bad TOML
        return Lock()
    packages = data.get("package")
    if not isinstance(packages, list):
        return Lock()
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if _PACKAGE.fullmatch(line)]
    wanted = tuple(_packages(packages, lines, starts)) if len(starts) == len(packages) else ()
    metadata = data.get("metadata")
    versions = data.get("requires-python") or (metadata.get("python-versions") if isinstance(metadata, dict) else None)
    return Lock(wanted, _specifier(versions), _line(lines, 0, len(lines), ("requires-python", "python-versions")))


def _packages(packages: list[Any], lines: list[str], starts: list[int]) -> Iterator[Wanted]:
    for package, start, end in zip(packages, starts, [*starts[1:], len(lines)], strict=True):
        if not isinstance(package, dict):
            continue
        name, version = package.get("name"), package.get("version")
        source = package.get("source")
        elsewhere = isinstance(source, dict) and (source.get("type") in ("git", "url", "file", "directory") or _is_own(source))
        spot = _line(lines, start, end, ("version",))
        if isinstance(name, str) and isinstance(version, str) and spot is not None and not elsewhere:
            found = requirement(f"{name}=={version}", spot)
            if found is not None:
                sometimes = package.get("markers") or package.get("resolution-markers") or package.get("marker")
                yield found._replace(marker=str(sometimes)) if sometimes else found


def _is_own(source: dict[str, Any]) -> bool:
    """Whether a package of uv's is from a repository or a path."""
    return any(key in source for key in ("git", "url", "path", "editable", "virtual", "directory"))


def _line(lines: list[str], start: int, end: int, keys: tuple[str, ...]) -> Spot | None:
    """The value of a key in some lines."""
    for number in range(start, end):
        found = _KEY.fullmatch(lines[number])
        if found is not None and found["key"] in keys:
            first, last = found.span("value")
            return Spot(number + 1, len(lines[number][:first].encode()), number + 1, len(lines[number][:last].encode()))
    return None


def _specifier(text: object) -> SpecifierSet | None:
    try:
        return SpecifierSet(text) if isinstance(text, str) and text != "*" and not re.search(r"\d{9}", text) else None
    except InvalidSpecifier:
        return None


def _of_pipenv(document: Document) -> Lock:
    root = document.roots[0] if document.roots else None
    if not isinstance(root, Mapping):
        return Lock()
    found = []
    default = root.mapping("default")
    for item in () if default is None else default.items:
        if isinstance(item.value, Mapping) and isinstance(version := item.value.value("version"), str):
            wanted = requirement(f"{item.key.value}{version}", item.key.spot)
            if wanted is not None:
                markers = item.value.value("markers")
                # Pipenv notes the Pythons of a package as its marker: that says nothing of the platform.
                ours = not isinstance(markers, str) or re.fullmatch(r"python_(?:full_)?version\s*>=\s*'[\d.]+'", markers)
                found.append(wanted if ours else wanted._replace(marker=str(markers)))
    meta = root.mapping("_meta", "requires")
    item_of = None if meta is None else meta.item("python_version")
    version = None if meta is None else meta.value("python_version")
    python = _specifier(f"=={version}.*") if isinstance(version, str) else None
    return Lock(tuple(found), python, None if item_of is None else item_of.key.spot)
