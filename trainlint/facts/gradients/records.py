"""Records: the dict that a step fills with what is to be logged, and hands on beside its loss.

Such a dict is no tensor, and what is kept of it is not the loss itself: it is what was put in under some key. Asked here is
what that is, where it was put in, and whether it is still there when the dict is handed on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.gradients.graphs import Graphs
from trainlint.facts.gradients.ways import Parts
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library
from trainlint.finding import Spot
from trainlint.model.sketch import Call, Function, Keep
from trainlint.model.terms import Term
from trainlint.model.walk import statements_of

_DEEPEST = 2


class Item(NamedTuple):
    """A value in a dict: its key, the activation in which it was put in, and the place where that is written."""

    key: Term
    value: Term
    frame: Frame
    spot: Spot


def items(graphs: Graphs, value: Parts) -> Iterator[Item]:
    """What is in the dicts that a value may be: written in the display, or set by statements of its function."""
    same = [key for key, way in value.items() if way.plain and way.whole and way.bare and way.fresh and way.uncut]
    for container, frame in same:
        if container[0] == "dict" or (container[0] == "call" and _is_dict(graphs, container, frame)):
            others = [(name, where) for name, where in same if name is not container and name[0] != "dict"]
            for item in _within(graphs, container, frame, 0):
                if not any(_is_replaced(graphs, item, name, where) for name, where in others):
                    yield item


def _is_replaced(graphs: Graphs, item: Item, name: Term, frame: Frame) -> bool:
    """Whether a function to which the dict was handed on, as ``name``, may set the item anew or take it out."""
    for node in statements_of(frame.function):
        if isinstance(node, Keep) and _is_item(node.target, name):
            key = node.target[2]
            if not (key[0] == item.key[0] == "c" and key[2] != item.key[2]):
                return True
        elif isinstance(node, Call) and _may_change(graphs, node.term, name, frame):
            return True
    return False


def _is_dict(graphs: Graphs, call: Term, frame: Frame) -> bool:
    """Whether a call makes an object of a class of the project that is derived from a dict (table ``items``)."""
    program = graphs.program
    return any(
        isinstance(value, Instance)
        and value.call is call
        and any(isinstance(base, Library) and base.name in program.knowledge.items for base in _above(program, value))
        for value in program.values(call, frame)
    )


def _above(program: Program, value: Instance) -> tuple[ClassValue | Library, ...]:
    return program.lineage(ClassValue(value.module, value.cls))


def _within(graphs: Graphs, container: Term, frame: Frame, depth: int) -> Iterator[Item]:
    found: list[Item] = []
    if container[0] == "dict":
        written = Spot(container[2], container[3], container[2], container[3] + 1)
        found = [Item(key, value, frame, written) for key, value in container[1]]
    changes = [node for node in statements_of(frame.function) if isinstance(node, Keep) and _is_item(node.target, container)]
    found += [Item(node.target[2], node.value, frame, node.spot) for node in changes if node.kind != "AugAssign"]
    for item in found:
        if item.value[0] == "dict" and depth < _DEEPEST:
            yield from _within(graphs, item.value, frame, depth + 1)
        elif item.value[0] != "c" and _stays(graphs, item, container, changes):
            yield item


def _is_item(target: Term, container: Term) -> bool:
    return bool(target[0] == "sub" and target[1] is container)


def _stays(graphs: Graphs, item: Item, container: Term, changes: list[Keep]) -> bool:
    """Whether nothing takes an item out again, or may put something else in its place."""
    for node in changes:
        if node.spot[:2] > item.spot[:2] and not _is_other(graphs, item, node):
            return False
    return not any(
        isinstance(node, Call) and _may_change(graphs, node.term, container, item.frame)
        for node in statements_of(item.frame.function)
    )


def _is_other(graphs: Graphs, item: Item, node: Keep) -> bool:
    """Whether a later statement sets an item under another key: another text, or one that is put together elsewhere."""
    key = node.target[2]
    if key[0] == "c" and item.key[0] == "c":
        return bool(key[2] != item.key[2])
    return key[0] in ("c", "v") and key is not item.key and not graphs.ends(node.value, item.value)


def _may_change(graphs: Graphs, call: Term, container: Term, frame: Frame) -> bool:
    """Whether a call takes things out of the dict, or hands it to a function of the project that sets items of it."""
    callee = call[1]
    if callee[0] == "a" and callee[1] is container:
        return callee[2] in graphs.program.knowledge.empties
    given = (*call[2], *(value for _, value in call[3]))
    if not any(value is container for value in given):
        return False
    targets = [target for target in graphs.index.targets(call, frame) if isinstance(target, FunctionValue)]
    return any(_sets_items(target.function) for target in targets)


def _sets_items(function: Function) -> bool:
    """Whether a function sets items of something that it is given."""
    return any(
        isinstance(node, Keep) and node.target[0] == "sub" and node.target[1][0] == "p" for node in statements_of(function)
    )
