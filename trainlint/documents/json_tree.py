"""JSON with places, comments allowed (launchers strip them)."""

from __future__ import annotations

import json
from functools import cache

import tree_sitter
import tree_sitter_json

from trainlint.documents.tree import DEEPEST, Item, Mapping, Node, Plain, Scalar, Sequence
from trainlint.finding import Spot

_WORDS: dict[str, Plain] = {"true": True, "false": False, "null": None}


def read_json(data: bytes) -> Node | None:
    """The value in the bytes of a JSON file; None when it is none."""
    root = _parser().parse(data).root_node
    if root.has_error:
        return None
    values = [child for child in root.named_children if child.type != "comment"]
    return _node(values[0], DEEPEST) if len(values) == 1 else None


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_json.language()))


def spot_of(node: tree_sitter.Node) -> Spot:
    """Where a node stands."""
    start, end = node.start_point, node.end_point
    return Spot(start.row + 1, start.column, end.row + 1, end.column)


def _node(node: tree_sitter.Node, depth: int) -> Node | None:
    if depth == 0:
        return None
    spot = spot_of(node)
    if node.type == "object":
        items = []
        for pair in node.named_children:
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            read = None if value is None else _node(value, depth - 1)
            if key is not None and read is not None:
                items.append(Item(Scalar(spot_of(key), _text(key)), read))
        return Mapping(spot, tuple(items))
    if node.type == "array":
        values = (_node(child, depth - 1) for child in node.named_children if child.type != "comment")
        return Sequence(spot, tuple(value for value in values if value is not None))
    return Scalar(spot, _WORDS[node.type] if node.type in _WORDS else _text(node))


def _text(node: tree_sitter.Node) -> Plain:
    text = (node.text or b"").decode("utf-8", "replace")
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, (str, int, float)) else text
