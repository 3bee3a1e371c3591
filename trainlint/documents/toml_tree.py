"""TOML with places. Of a key that stands there twice, which TOML forbids, the last one counts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import tree_sitter
import tree_sitter_toml

from trainlint.documents.json_tree import spot_of
from trainlint.documents.tree import DEEPEST, Item, Mapping, Node, Plain, Scalar, Sequence
from trainlint.finding import Spot


def read_toml(data: bytes) -> Mapping | None:
    """The whole of a TOML file; None when it is none."""
    root = _parser().parse(data).root_node
    if root.has_error:
        return None
    top = _Table(spot_of(root))
    for child in root.named_children:
        if child.type == "pair":
            top.take(child, DEEPEST)
        elif child.type in ("table", "table_array_element"):
            keys = list(_keys(child.named_children[0])) if child.named_children else []
            if not keys or len(keys) > DEEPEST:
                return None
            table = top.inside(keys, spot_of(child), repeats=child.type == "table_array_element")
            for pair in child.named_children[1:]:
                if pair.type == "pair":
                    table.take(pair, DEEPEST)
    return top.mapping()


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))


@dataclass
class _Table:
    """A table as long as there may come more of it."""

    spot: Spot
    keys: dict[Plain, Scalar] = field(default_factory=dict)
    values: dict[Plain, Node | _Table | list[_Table]] = field(default_factory=dict)

    def mapping(self) -> Mapping:
        return Mapping(self.spot, tuple(Item(key, _done(self.values[name])) for name, key in self.keys.items()))

    def inside(self, keys: list[Scalar], spot: Spot, *, repeats: bool = False) -> _Table:
        """The table below some keys; of those that repeat the last one, or with ``repeats`` one more."""
        here = self
        for number, key in enumerate(keys):
            here.keys.setdefault(key.value, key)
            known = here.values.get(key.value)
            if repeats and number == len(keys) - 1:
                table = _Table(spot)
                here.values[key.value] = [*known, table] if isinstance(known, list) else [table]
            elif isinstance(known, list):
                table = known[-1]
            elif isinstance(known, _Table):
                table = known
            else:
                table = here.values[key.value] = _Table(spot)
            here = table
        return here

    def take(self, pair: tree_sitter.Node, depth: int) -> None:
        """What ``a.b = value`` says."""
        children = [child for child in pair.named_children if child.type != "comment"]
        keys = list(_keys(children[0])) if children else []
        value = _value(children[-1], depth - len(keys)) if len(children) == 2 else None  # noqa: PLR2004
        if keys and value is not None:
            table = self.inside(keys[:-1], spot_of(pair))
            table.keys[keys[-1].value] = keys[-1]
            table.values[keys[-1].value] = value


def _done(value: Node | _Table | list[_Table]) -> Node:
    if isinstance(value, _Table):
        return value.mapping()
    if isinstance(value, list):
        return Sequence(value[0].spot, tuple(table.mapping() for table in value))
    return value


def _keys(node: tree_sitter.Node) -> Iterator[Scalar]:
    """The parts of a key; they nest to the left."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.type == "dotted_key":
            waiting.extend(reversed(here.named_children))
        elif here.type == "bare_key":
            yield Scalar(spot_of(here), _text(here))
        elif here.type == "quoted_key":
            yield Scalar(spot_of(here), _plain(_text(here)))


def _value(node: tree_sitter.Node, depth: int) -> Node | None:
    if depth <= 0:
        return None
    spot = spot_of(node)
    if node.type == "inline_table":
        table = _Table(spot)
        for pair in node.named_children:
            if pair.type == "pair":
                table.take(pair, depth - 1)
        return table.mapping()
    if node.type == "array":
        values = (_value(child, depth - 1) for child in node.named_children if child.type != "comment")
        return Sequence(spot, tuple(value for value in values if value is not None))
    return Scalar(spot, _plain(_text(node)))


def _plain(text: str) -> Plain:
    """A value as Python has it; dates and times stay the text that is written."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, (str, int, float)) else text


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
