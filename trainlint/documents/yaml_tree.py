"""YAML with places: PyYAML composes, and nothing of a file is ever constructed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from trainlint.documents.tree import DEEPEST, Item, Mapping, Node, Scalar, Sequence
from trainlint.finding import Spot

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MERGE = "tag:yaml.org,2002:merge"
#: The scalars that are no texts. What else a tag makes of a scalar (dates, binary) stays the text that is written.
_PLAIN = {f"tag:yaml.org,2002:{name}" for name in ("bool", "float", "int", "null")}


def read_yaml(text: str) -> tuple[Node, ...]:
    """The documents of a YAML file; () when it is none (a template is none), or has alias in alias in alias."""
    try:
        composed = list(yaml.compose_all(text, _LOADER))
        reading = _Reading(text)
        return tuple(reading.node(node) for node in composed if node is not None)
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        return ()


class _Reading:
    """One file: its nodes, once each, however many aliases lead to them."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._known: dict[int, Node] = {}
        #: The nodes around the one that is read.
        self._open: dict[int, None] = {}
        self._constructor: Any = yaml.constructor.SafeConstructor()

    def node(self, node: yaml.Node) -> Node:
        known = self._known.get(id(node))
        if known is None:
            if id(node) in self._open or len(self._open) == DEEPEST:
                message = "an alias leads back to where it stands, or the file is nested too deeply"
                raise ValueError(message)
            self._open[id(node)] = None
            known = self._known[id(node)] = self._read(node)
            del self._open[id(node)]
        return known

    def _read(self, node: yaml.Node) -> Node:
        spot = self._spot(node)
        if isinstance(node, yaml.MappingNode):
            return Mapping(spot, tuple(self._items(node)))
        if isinstance(node, yaml.SequenceNode):
            return Sequence(spot, tuple(self.node(child) for child in node.value))
        if node.tag in _PLAIN:
            return Scalar(spot, self._constructor.construct_object(node))
        return Scalar(spot, str(node.value))

    def _items(self, node: yaml.MappingNode) -> Iterator[Item]:
        for key, value in node.value:
            if key.tag == _MERGE:
                read = self.node(value)
                merged: dict[object, Item] = {}  # one for each key: mappings that are merged twice in each other grow no further
                # The first of several that are merged counts: as with keys that stand there twice, what is last here.
                for source in reversed(read.values) if isinstance(read, Sequence) else (read,):
                    for item in source.counting() if isinstance(source, Mapping) else ():
                        merged[item.key.value] = Item(item.key, item.value, merged=True)
                yield from merged.values()
            elif isinstance(key, yaml.ScalarNode):
                name = self.node(key)
                if isinstance(name, Scalar):
                    yield Item(name, self.node(value))

    def _spot(self, node: yaml.Node) -> Spot:
        start, end = node.start_mark, node.end_mark
        if not isinstance(node, yaml.ScalarNode) and end.column == 0 and end.line > start.line:
            # A block ends where the next thing begins; what it holds ends on a line before that.
            line = end.line - 1
            while line > start.line and not self._lines[min(line, len(self._lines) - 1)].strip():
                line -= 1
            return Spot(start.line + 1, self._column(start), line + 1, len(self._lines[line].rstrip().encode()))
        return Spot(start.line + 1, self._column(start), end.line + 1, self._column(end))

    def _column(self, mark: Any) -> int:
        if mark.line >= len(self._lines):
            return 0
        return len(self._lines[mark.line][: mark.column].encode("utf-8", "replace"))
