"""What a project asks for: lines of requirements, with their places, wherever they are written.

The grammar of a requirement is that of :mod:`packaging`; options, links and paths are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from trainlint.documents.shell import Command
from trainlint.finding import Spot


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
