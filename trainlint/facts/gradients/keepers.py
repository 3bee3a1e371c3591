"""Keepers: methods of the project that keep what they are given, in their object or in one that it holds."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.gradients.grad_mode import ON, GradMode
from trainlint.facts.gradients.graphs import Graphs, mentions
from trainlint.facts.gradients.rows import loop_value, swept
from trainlint.facts.gradients.sinks import SURPLUS, Keeper, Part, Sink, Sinks, call_of, keepers_of
from trainlint.facts.gradients.taint_edge import Parts
from trainlint.facts.literals import item_of
from trainlint.facts.values import Frame, FunctionValue, Instance
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Compare, Kwargs, Not, Param, Subscript, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import Exit, If, Loop
from trainlint.ir.walk import statements_of, walk

#: How many methods hand a value on before one keeps it.
_DEEPEST = 2


class Keepers:
    """Answers for one program."""

    def __init__(self, graphs: Graphs, mode: GradMode) -> None:
        self.graphs = graphs
        self.mode = mode
        self.sinks = graphs.program.ask(Sinks)

    def of(self, sink: Sink, frame: Frame, depth: int = 0) -> Iterator[tuple[Sink, Sink]]:
        """The parts of a call that the method called keeps, and the sink in it: one pair for each parameter it keeps."""
        call = call_of(sink)
        if call is None:
            return
        for target in self.graphs.index.targets(call, frame):
            if not isinstance(target, FunctionValue) or not isinstance(target.receiver, Instance):
                continue
            if self.graphs.entered(target, call, frame) is None:
                continue
            for keeper in keepers_of(self.sinks, target.module, target.function):
                for inner, last in self._kept(keeper, self.graphs.program.frame(target.module, target.function), depth):
                    parts = self._passed(inner, target, call, frame, sink)
                    if parts:
                        yield sink._replace(parts=parts), last

    def _kept(self, keeper: Keeper, own: Frame, depth: int) -> Iterator[tuple[Keeper, Sink]]:
        """The sink of a keeper, or those of the methods to which it hands its parameter on; and what of it goes there."""
        if keeper.sink.kind != "hand":
            yield keeper, keeper.sink
        elif depth < _DEEPEST:
            for handed, last in self.of(keeper.sink, own, depth + 1):
                if last.kind != "item":  # under which key is not followed through two calls
                    yield keeper._replace(sink=handed), last

    def _passed(self, keeper: Keeper, target: FunctionValue, call: Call, frame: Frame, sink: Sink) -> tuple[Part, ...]:
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

    def _cut(self, part: Part, keeper: Keeper, own: Frame) -> Iterator[Part]:
        """The items that a method takes out of an argument, where both are written out; else the argument itself."""
        held = [term for kept in keeper.sink.parts for term, _ in self.graphs.held(kept.term, own)]
        keys = [key for term in held if (key := _key(term, keeper)) is not None]
        found = [item_of(part.term, key) for key in dict.fromkeys(keys)]
        if found and None not in found:
            yield from (part._replace(term=item, cut=True, inner=True) for item in found if item is not None)
        else:
            yield part._replace(cut=True)

    def _way(self, keeper: Keeper, held: Parts, own: Frame) -> str | None:
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

    def chosen(self, value: Parts, frame: Frame, spot: Spot, holder: Term | None = None) -> bool:
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
