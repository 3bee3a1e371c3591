"""Indirect escape: values that a method of the project keeps, or that a step returns in the dict to be logged.

Keepers: methods of the project that keep what they are given, in their object or in one that it holds.

Records: the dict that a step fills with what is to be logged, and hands on beside its loss.

Such a dict is no tensor, and what is kept of it is not the loss itself: it is what was put in under some key. Asked
here is what that is, where it was put in, and whether it is still there when the dict is handed on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.escape import SURPLUS, Keeper, Part, Sink, Sinks, call_of
from trainlint.domains.autograd.graphs import Graphs, Parts, mentions
from trainlint.domains.grad_mode import ON, GradMode
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Compare, Const, Dict, Kwargs, Not, Param, Subscript, Term, Unknown
from trainlint.ir.order import before, within
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop
from trainlint.ir.walk import of_kind, statements_of, walk
from trainlint.program.container_parts import loop_value, swept
from trainlint.program.heap import item_of
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library


class Keepers:
    """Answers for one program."""

    def __init__(self, graphs: Graphs, mode: GradMode) -> None:
        self.graphs = graphs
        self.mode = mode
        self.sinks = graphs.program.ask(Sinks)

    def of(self, sink: Sink, frame: Context, above: tuple[Function, ...] = ()) -> Iterator[tuple[Sink, Sink]]:
        """The parts of a call that the method called keeps, and the sink in it: one pair for each parameter it keeps."""
        call = call_of(sink)
        if call is None:
            return
        for target in self.graphs.index.targets(call, frame):
            if not isinstance(target, FunctionValue) or target.function in above:
                continue
            if self.graphs.entered(target, call, frame) is None:
                continue
            for keeper in self.sinks.kept_by(target, sink, frame):
                for inner, last in self._kept(keeper, self.graphs.program.frame(target.module, target.function), above):
                    parts = self._passed(inner, target, call, frame, sink)
                    if parts:
                        yield sink._replace(parts=parts), last

    def _kept(self, keeper: Keeper, own: Context, above: tuple[Function, ...]) -> Iterator[tuple[Keeper, Sink]]:
        """The sink of a keeper, or those of the methods to which it hands its parameter on; and what of it goes there."""
        if keeper.sink.kind != "hand":
            yield keeper, keeper.sink
        else:
            for handed, last in self.of(keeper.sink, own, (*above, own.function)):
                if last.kind != "item":  # under which key is not followed through two calls
                    yield keeper._replace(sink=handed), last

    def _passed(self, keeper: Keeper, target: FunctionValue, call: Call, frame: Context, sink: Sink) -> tuple[Part, ...]:
        """The arguments that go into the sink with their graphs."""
        program = self.graphs.program
        own = program.frame(target.module, target.function)
        ways = [(self._way(keeper, self.graphs.held(part.term, own), own), part) for part in keeper.sink.parts]
        if not any(way for way, _ in ways):
            return ()
        if self.mode.at(own, keeper.sink.spot) != ON and keeper.sink.kind in ("sum", "join"):
            return ()
        inner = program.enter(target, call, frame)
        given = inner.surplus.values() if keeper.parameter == SURPLUS else (inner.arguments.get(keeper.parameter),)
        terms = [getattr(bound, "term", None) for bound in given]
        parts = [part for part in sink.parts if part.term in terms]
        if any(way == "each" or (way == "whole" and not part.cut) for way, part in ways):
            return tuple(parts)
        return tuple([cut for part in parts for cut in self._cut(part, keeper, own)])

    def _cut(self, part: Part, keeper: Keeper, own: Context) -> Iterator[Part]:
        """The items that a method takes out of an argument, where both are written out; else the argument itself."""
        held = [term for kept in keeper.sink.parts for term, _ in self.graphs.held(kept.term, own)]
        keys = [key for term in held if (key := _key(term, keeper)) is not None]
        found = [item_of(part.term, key) for key in dict.fromkeys(keys)]
        if found and None not in found:
            yield from (part._replace(term=item, cut=True, inner=True) for item in found if item is not None)
        else:
            yield part._replace(cut=True)

    def _way(self, keeper: Keeper, held: Parts, own: Context) -> str | None:
        """How what goes into the sink holds the graph of the parameter: the "whole" of it, "each" of its items, or a "part"."""
        name = own.function.qualname
        dicts = frozenset(swept(self.graphs.program, term) for term, _ in held)
        for (term, _), way in held.items():
            taken = term in dicts and not way.uncut  # item by item, in a loop: asked below
            if isinstance(term, Param) and term.function == name and term.name == keeper.parameter and not taken:
                return "whole" if way.whole else "part"
            container = swept(self.graphs.program, term)
            if (
                container is not None
                and isinstance(container, (Param, Kwargs))
                and container.function == name
                and not self.chosen(held, own, keeper.sink.spot, keeper.sink.holder)
                and keeper.parameter == (SURPLUS if isinstance(container, Kwargs) else container.name)
            ):
                return "each"
        return None

    def chosen(self, value: Parts, frame: Context, spot: Spot, holder: Term | None = None) -> bool:
        """Whether a test of the item leads to the sink, in the loop that goes over all items of a dict, or past it.

        The loss may then be the one that is left out; not where the test is whether the holder has a thing of this name yet.
        """
        program = self.graphs.program
        bound = frozenset(loop_value(term) for term, where in value if where is frame and swept(program, term) is not None)
        for loop in (node for node in statements_of(frame.function) if isinstance(node, Loop) and node.target in bound):
            for node in walk(loop.body):
                if isinstance(node, If) and mentions(node.condition, bound) and not _asks_for_key(node.condition, holder):
                    leaves = any(isinstance(inner, Exit) for inner in walk((*node.body, *node.orelse)))
                    if leaves or within(frame.function, node, spot):
                        return True
        return False


def _asks_for_key(test: Term, holder: Term | None) -> bool:
    """Whether a test is whether a holder, or the container around it, has a key."""
    while holder is not None and isinstance(holder, Subscript):
        holder = holder.base
    if isinstance(test, Not):
        return _asks_for_key(test.operand, holder)
    return holder is not None and isinstance(test, Compare) and test.op in ("In", "NotIn") and test.right is holder


def _key(term: Term, keeper: Keeper) -> Term | None:
    """The key of a term that is an item of the parameter that a method keeps."""
    named = isinstance(term, Subscript) and isinstance(term.base, Param) and term.base.name == keeper.parameter
    return term.key if isinstance(term, Subscript) and named else None


class Item(NamedTuple):
    """A value in a dict: its key, the activation in which it was put in, and the place where that is written."""

    key: Term
    value: Term
    frame: Context
    spot: Spot


def items(graphs: Graphs, value: Parts) -> Iterator[Item]:
    """What is in the dicts that a value may be: written in the display, or set by statements of its function."""
    same = [key for key, way in value.items() if way.plain and way.whole and way.bare and way.fresh and way.uncut]
    for container, frame in same:
        if isinstance(container, Dict) or (isinstance(container, Call) and _is_dict(graphs, container, frame)):
            others = [(name, where) for name, where in same if name is not container and not isinstance(name, Dict)]
            for item in _within(graphs, container, frame):
                if not any(_is_replaced(graphs, item, name, where) for name, where in others):
                    yield item


def _is_replaced(graphs: Graphs, item: Item, name: Term, frame: Context) -> bool:
    """Whether a function to which the dict was handed on, as ``name``, may set the item anew or take it out."""
    for node in statements_of(frame.function):
        key = _item_key(node.target, name) if isinstance(node, Keep) else None
        if key is not None:
            if not (isinstance(key, Const) and isinstance(item.key, Const) and key.value != item.key.value):
                return True
        elif isinstance(node, CallStep) and _may_change(graphs, node.term, name, frame):
            return True
    return False


def _is_dict(graphs: Graphs, call: Call, frame: Context) -> bool:
    """Whether a call gives a dict: items are set under texts, or its class is derived from one (table ``items``)."""
    program = graphs.program
    keys = (_item_key(node.target, call) for node in of_kind(frame.function, Keep))
    return any(isinstance(key, Const) and isinstance(key.value, str) for key in keys) or any(
        isinstance(value, Instance)
        and value.call is call
        and any(isinstance(base, Library) and base.name in program.knowledge.items for base in _above(program, value))
        for value in program.values(call, frame)
    )


def _above(program: Program, value: Instance) -> tuple[ClassValue | Library, ...]:
    return program.lineage(ClassValue(value.module, value.cls))


def _within(graphs: Graphs, container: Term, frame: Context, around: tuple[Term, ...] = ()) -> Iterator[Item]:
    found: list[Item] = []
    if isinstance(container, Dict):
        written = Spot(container.line, container.column, container.line, container.column + 1)
        found = [Item(key, value, frame, written) for key, value in container.items]
    changes = [(node, key) for node in of_kind(frame.function, Keep) if (key := _item_key(node.target, container)) is not None]
    found += [Item(key, node.value, frame, node.spot) for node, key in changes if node.kind != "AugAssign"]
    for item in found:
        if isinstance(item.value, Dict) and item.value not in (container, *around):
            yield from _within(graphs, item.value, frame, (container, *around))
        elif not isinstance(item.value, Const) and _stays(graphs, item, container, changes):
            yield item


def _item_key(target: Term, container: Term) -> Term | None:
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


def _may_change(graphs: Graphs, call: Call, container: Term, frame: Context) -> bool:
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
