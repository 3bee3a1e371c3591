"""Records: the dict that a step fills with what is to be logged, and hands on beside its loss.

Such a dict is no tensor, and what is kept of it is not the loss itself: it is what was put in under some key. Asked here is
what that is, where it was put in, and whether it is still there when the dict is handed on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.gradients.graphs import Graphs
from trainlint.facts.gradients.taint_edge import Parts
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Dict, Param, Subscript, Term, Unknown
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Function, Keep
from trainlint.ir.walk import statements_of

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
        if isinstance(container, Dict) or (isinstance(container, Call) and _is_dict(graphs, container, frame)):
            others = [(name, where) for name, where in same if name is not container and not isinstance(name, Dict)]
            for item in _within(graphs, container, frame, 0):
                if not any(_is_replaced(graphs, item, name, where) for name, where in others):
                    yield item


def _is_replaced(graphs: Graphs, item: Item, name: Term, frame: Frame) -> bool:
    """Whether a function to which the dict was handed on, as ``name``, may set the item anew or take it out."""
    for node in statements_of(frame.function):
        key = _key(node.target, name) if isinstance(node, Keep) else None
        if key is not None:
            if not (isinstance(key, Const) and isinstance(item.key, Const) and key.value != item.key.value):
                return True
        elif isinstance(node, CallStep) and _may_change(graphs, node.term, name, frame):
            return True
    return False


def _is_dict(graphs: Graphs, call: Call, frame: Frame) -> bool:
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
    if isinstance(container, Dict):
        written = Spot(container.line, container.column, container.line, container.column + 1)
        found = [Item(key, value, frame, written) for key, value in container.items]
    keeps = [node for node in statements_of(frame.function) if isinstance(node, Keep)]
    changes = [(node, key) for node in keeps if (key := _key(node.target, container)) is not None]
    found += [Item(key, node.value, frame, node.spot) for node, key in changes if node.kind != "AugAssign"]
    for item in found:
        if isinstance(item.value, Dict) and depth < _DEEPEST:
            yield from _within(graphs, item.value, frame, depth + 1)
        elif not isinstance(item.value, Const) and _stays(graphs, item, container, changes):
            yield item


def _key(target: Term, container: Term) -> Term | None:
    """The key of a target that is an item of a container."""
    return target.key if isinstance(target, Subscript) and target.base is container else None


def _stays(graphs: Graphs, item: Item, container: Term, changes: list[tuple[Keep, Term]]) -> bool:
    """Whether nothing takes an item out again, or may put something else in its place."""
    for node, key in changes:
        if node.spot != item.spot and not before(item.frame.function, node, item.spot) and not _is_other(graphs, item, node, key):
            return False
    return not any(
        isinstance(node, CallStep) and _may_change(graphs, node.term, container, item.frame)
        for node in statements_of(item.frame.function)
    )


def _is_other(graphs: Graphs, item: Item, node: Keep, key: Term) -> bool:
    """Whether a later statement sets an item under another key: another text, or one that is put together elsewhere."""
    if isinstance(key, Const) and isinstance(item.key, Const):
        return bool(key.value != item.key.value)
    return isinstance(key, (Const, Unknown)) and key is not item.key and not graphs.ends(node.value, item.value)


def _may_change(graphs: Graphs, call: Call, container: Term, frame: Frame) -> bool:
    """Whether a call takes things out of the dict, or hands it to a function of the project that sets items of it."""
    callee = call.callee
    if isinstance(callee, Attr) and callee.base is container:
        return callee.name in graphs.program.knowledge.empties
    given = (*call.args, *(value for _, value in call.kwargs))
    if not any(value is container for value in given):
        return False
    targets = [target for target in graphs.index.targets(call, frame) if isinstance(target, FunctionValue)]
    return any(_sets_items(target.function) for target in targets)


def _sets_items(function: Function) -> bool:
    """Whether a function sets items of something that it is given."""
    return any(
        isinstance(node, Keep) and isinstance(node.target, Subscript) and isinstance(node.target.base, Param)
        for node in statements_of(function)
    )
