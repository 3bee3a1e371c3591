"""Read ``.ini`` files: sections are mappings, values are texts, or what texts look like."""

from __future__ import annotations

import re

from trainlint.documents.tree import Item, Mapping, Plain, Scalar
from trainlint.finding import Spot

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
