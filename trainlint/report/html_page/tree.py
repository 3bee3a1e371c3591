"""Elements of a page. Text goes in as text: what escapes it is the serializer of the standard library, in one place.

What a browser would act on or hide (controls, overrides of the reading direction) is spelled out, as everywhere in the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint.report.printable import escape

Node: TypeAlias = "ET.Element | str | None"
"""What an element may hold; None stands for nothing."""

_CODE = re.compile(r"`([^`]+)`")


def element(tag: str, *content: Node, **attributes: str | int | bool | None) -> ET.Element:
    """An element. ``class_`` is the attribute ``class``, ``data_level`` is ``data-level``; None or False: not there.

    True is an attribute without a value.
    """
    made = ET.Element(tag)
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        made.set(name.rstrip("_").replace("_", "-"), "" if value is True else shown(str(value)))
    return extend(made, content)


def extend(made: ET.Element, content: Iterable[Node]) -> ET.Element:
    """Put more into an element, and give it back."""
    for part in content:
        if part is None:
            continue
        if not isinstance(part, str):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + shown(part)
        else:
            made.text = (made.text or "") + shown(part)
    return made


def shown(text: str) -> str:
    """``text`` with what a browser would act on or hide spelled out; tabs stay, for code."""
    if text.isascii() and text.isprintable() and "##" not in text:
        return text
    return "\t".join(escape(part) for part in text.split("\t"))


def verbatim(tag: str, text: str, **attributes: str) -> ET.Element:
    """A ``style`` or ``script`` with a text of our own, exactly as it is: its hash stands in the page's policy."""
    if "</" in text or not text.isascii():
        raise ValueError(f"this cannot stand in a {tag}")
    made = ET.Element(tag, dict(attributes))
    made.text = text
    return made


def prose(text: str) -> Iterator[Node]:
    """A sentence whose `names` are code."""
    for number, part in enumerate(_CODE.split(text)):
        if number % 2:
            yield element("code", part)
        elif part:
            yield part


def path(name: str) -> ET.Element:
    """The name of a file, which may be broken behind its folders."""
    made = element("span", class_="path")
    for number, part in enumerate(name.split("/")):
        extend(made, ("/", element("wbr"), part) if number else (part,))
    return made


def written(root: ET.Element) -> str:
    """The page as text: all ASCII, so that no encoding can spoil it, with a line end behind every block."""
    for made in root.iter():
        if made.tag in _BLOCKS and not made.tail:
            made.tail = "\n"
    data: bytes = ET.tostring(root, encoding="us-ascii", method="html")
    return f"<!DOCTYPE html>\n{data.decode('ascii')}\n"


_BLOCKS = frozenset({"article", "aside", "body", "details", "div", "footer", "h1", "h2", "h3", "head", "header", "li", "main"})
_BLOCKS |= frozenset({"link", "meta", "nav", "ol", "p", "pre", "script", "section", "style", "summary", "title", "ul"})

__all__ = ["Node", "element", "extend", "path", "prose", "shown", "verbatim", "written"]
