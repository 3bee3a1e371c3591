"""Reads a page as a browser's parser does, as far as the tests need it: elements with their attributes, in a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "input", "link", "meta", "wbr"}


@dataclass
class Node:
    """An element; its children are elements and texts."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text in it."""
        return "".join(part if isinstance(part, str) else part.text for part in self.children)

    def all(self, tag: str | None = None, class_: str | None = None) -> Iterator[Node]:
        """The elements in it with this tag and this class."""
        for part in self.children:
            if isinstance(part, Node):
                if tag in (None, part.tag) and (class_ is None or class_ in (part.attributes.get("class") or "").split()):
                    yield part
                yield from part.all(tag, class_)

    def one(self, tag: str | None = None, class_: str | None = None) -> Node:
        """The only such element."""
        (found,) = self.all(tag, class_)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        assert len(node.attributes) == len(attrs), f"an attribute of <{tag}> is given twice"
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def parse(page: str) -> Node:
    """The root of the page; every element must be closed by its own tag."""
    assert page.startswith("<!DOCTYPE html>\n")
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert len(reader.open) == 1, f"<{reader.open[-1].tag}> is not closed"
    return reader.open[0].one("html")
