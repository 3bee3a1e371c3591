"""Data with places: what a configuration file says, and where; the simplest form of it, INI.

Spots are the parser's: 1-based lines, 0-based byte columns, end exclusive (:class:`trainlint.finding.Spot`).

Read ``.ini`` files: sections are mappings, values are texts, or what texts look like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from trainlint.finding import Spot

#: Nested deeper than this, it is nobody's configuration.
DEEPEST = 60

Plain: TypeAlias = "str | int | float | bool | None"


@dataclass(frozen=True)
class Scalar:
    """A text, a number, a truth value, or nothing (``None``)."""

    spot: Spot
    value: Plain


@dataclass(frozen=True)
class Item:
    """A key and its value. ``merged``: it came by a YAML merge (``<<``), and stands elsewhere."""

    key: Scalar
    value: Node
    merged: bool = False


@dataclass(frozen=True)
class Mapping:
    """Keys and values, in the order of the file; of a key that stands there twice the last one counts, as for the parsers."""

    spot: Spot
    items: tuple[Item, ...]
    _by_key: dict[Plain, Item] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for item in self.items:
            known = self._by_key.get(item.key.value)
            if known is None or known.merged or not item.merged:
                self._by_key[item.key.value] = item

    def counting(self) -> Iterable[Item]:
        """The items that count: one for each key."""
        return self._by_key.values()

    def item(self, key: str) -> Item | None:
        """The item of a key."""
        return self._by_key.get(key)

    def at(self, *keys: str) -> Node | None:
        """What stands below some keys, one in the other; None when there is nothing, or something else on the way."""
        found: Node | None = self
        for key in keys:
            item = found.item(key) if isinstance(found, Mapping) else None
            found = None if item is None else item.value
        return found

    def value(self, *keys: str) -> Plain:
        """The scalar that stands there, as Python has it; None for anything else (and for ``null``)."""
        found = self.at(*keys)
        return found.value if isinstance(found, Scalar) else None

    def mapping(self, *keys: str) -> Mapping | None:
        """The mapping that stands there."""
        found = self.at(*keys)
        return found if isinstance(found, Mapping) else None

    def __contains__(self, key: object) -> bool:
        return key in self._by_key


@dataclass(frozen=True)
class Sequence:
    """Values in their order."""

    spot: Spot
    values: tuple[Node, ...]


Node: TypeAlias = Scalar | Mapping | Sequence


def nodes(node: Node | None) -> Iterator[Node]:
    """A node and those in it, outer ones first, each once however many aliases lead to it."""
    waiting = [] if node is None else [node]
    seen: set[int] = set()
    while waiting:
        here = waiting.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        yield here
        if isinstance(here, Mapping):
            waiting.extend(item.value for item in reversed(here.items))
        elif isinstance(here, Sequence):
            waiting.extend(reversed(here.values))


def mappings(node: Node | None) -> Iterator[Mapping]:
    """The mappings in a node, itself too, outer ones first."""
    return (each for each in nodes(node) if isinstance(each, Mapping))


_SECTION = re.compile(r"\s*\[([^\]]+)\]")
_ITEM = re.compile(r"([A-Za-z_][\w.-]*)\s*[=:]\s*(.*?)\s*")
_PLAIN: dict[str, Plain] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False, "none": None}


def read_ini(text: str) -> Mapping:
    r"""The sections of a file; values that go on in the next line end with the first one.

    >>> read_ini("[DEFAULTS]\n# none\nclip = 0.0\nname = 'one'").value("DEFAULTS", "clip")
    0.0
    """
    sections: dict[str, tuple[Spot, list[Item]]] = {}
    items: list[Item] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        begins = _SECTION.match(line)
        if begins is not None:
            spot = Spot(number, 0, number, len(line.encode()))
            items = sections.setdefault(begins.group(1).strip(), (spot, []))[1]
            continue
        found = _ITEM.fullmatch(line)
        if found is not None:
            end = len(line[: found.end(1)].encode())
            key = Scalar(Spot(number, 0, number, end), found.group(1))
            start = len(line[: found.start(2)].encode())
            items.append(Item(key, Scalar(Spot(number, start, number, len(line.encode())), _plain(found.group(2)))))
    whole = Spot(1, 0, len(lines), 0)
    return Mapping(whole, tuple(Item(Scalar(at, name), Mapping(at, tuple(inner))) for name, (at, inner) in sections.items()))


def _plain(text: str) -> Plain:
    if text[:1] in ("'", '"') and text[-1:] == text[:1]:
        return text[1:-1]
    if text.lower() in _PLAIN:
        return _PLAIN[text.lower()]
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
