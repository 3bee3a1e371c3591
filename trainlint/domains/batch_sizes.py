"""Batch sizes: where the batches of a loop come from, and whether all of them have one size."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.domains.constructor_arguments import Given, Options
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, BinOp, Call, Compare, Const, Element, Ref, Subscript, Term
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If
from trainlint.ir.terms import parts_of, whole_number
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph, called_elsewhere
from trainlint.program.consteval import deep
from trainlint.program.heap import holds_none
from trainlint.program.loops import Loops
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, Instance, Library, LibraryObject, Unresolved, Value

#: Kinds of samplers whose batches need not come out even.
_ENDING = ("distributed-sampler", "sampler")


class Batches:
    """Questions about loaders and what feeds them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.asked = program.ask(Loops)
        self.options = program.ask(Options)

    def given(self, made: LibraryObject | Instance, name: str, library: str | None) -> Given:
        """What the call that made an object gives to the parameter ``name`` of the library's constructor."""
        assert made.call is not None
        assert made.frame is not None
        return self.options.given(
            made.call, made.frame, name, library or (made.name if isinstance(made, LibraryObject) else None)
        )

    # -- ragged batches --------------------------------------------------------------------------------------------

    def ragged(self, loader: LibraryObject | Instance) -> LibraryObject | Instance | None:
        """What leaves the last batch short: the loader, or its batch sampler; None when the batches may all be even."""
        library = self.asked.library(loader, "loader")
        if library is None or not self._as_library(loader):
            return None
        sampler = self.given(loader, "batch_sampler", library)
        if not sampler.known or not self._countable(loader, library):
            return None
        if not sampler.absent:
            return self._ragged_sampler(sampler)
        uneven = self._short(loader, library) and self._ends(loader, library) and not self._filled(loader, library)
        return loader if uneven else None

    def _ragged_sampler(self, sampler: Given) -> LibraryObject | None:
        """A batch sampler of the library, as the only one there may be."""
        found = [v for v in sampler.values if not holds_none(v)]
        for value in found:
            library = self.asked.library(value, "batch-sampler")
            if not isinstance(value, LibraryObject) or library is None or value.call is None or not self._short(value, library):
                return None
            if not self._ends(value, library):
                return None
        return found[0] if found and isinstance(found[0], LibraryObject) else None

    def _as_library(self, loader: LibraryObject | Instance) -> bool:
        """Whether the constructor's arguments are those of the library: no constructor of the project stands between."""
        if isinstance(loader, LibraryObject):
            return True
        return self.program.method(ClassValue(loader.module, loader.cls), "__init__") is None

    def _short(self, made: LibraryObject | Instance, library: str) -> bool:
        """Batches of more than one item, the last of which is kept."""
        dropped = self.given(made, "drop_last", library)
        if not dropped.known or (dropped.term is not None and any(c is not False for c in dropped.constants() or [None])):
            return False
        size = self.given(made, "batch_size", library)
        if not size.known or size.term is None:
            return False  # one item a batch
        if any(isinstance(value, LibraryObject) and value.name in self.program.knowledge.measures for value in size.values):
            return False  # one batch of all items
        return not any(constant in (None, 1) for constant in _constants(size.values))

    def _ends(self, made: LibraryObject | Instance, library: str) -> bool:
        """Whether the order ends after as many items as the data has, which nothing says to fit the batches."""
        sampler = self.given(made, "sampler", library)
        if not sampler.known:
            return False
        for value in sampler.values:
            if holds_none(value):
                continue
            if (
                not isinstance(value, LibraryObject)
                or value.call is None
                or self.program.knowledge.kinds.get(value.name) not in _ENDING
            ):
                return False
            count = self.given(value, "num_samples", value.name)
            if not count.known or (count.term is not None and not self._is_length(count)):
                return False
        return True

    def _is_length(self, given: Given) -> bool:
        """``num_samples=len(…)``."""
        return all(isinstance(value, LibraryObject) and value.name in self.program.knowledge.measures for value in given.values)

    def _countable(self, loader: LibraryObject | Instance, library: str) -> bool:
        """Whether the data may have any number of items: no stream, and no length that is made to fit."""
        data = self.given(loader, "dataset", library)
        if not data.known or data.term is None:
            return False
        return not any(self._fits(value, loader, library) for value in data.values)

    def _fits(self, data: Value, loader: LibraryObject | Instance, library: str) -> bool:
        if self.asked.library(data, "stream"):
            return True
        if isinstance(data, LibraryObject):
            return self._invented(data) or self._even(data, loader, library)
        if not isinstance(data, Instance):
            return False
        cls = ClassValue(data.module, data.cls)
        if self.program.method(cls, "__iter__") is not None and self.program.method(cls, "__getitem__") is None:
            return True
        length = self.program.method(cls, "__len__")
        if length is None:
            return False
        inner = self.program.instance_frame(data, length[0], length[1])
        size = self.given(loader, "batch_size", library)
        return any(self._multiple(term, inner, size.values) for term in self.program.returns(length[1]))

    def _invented(self, data: LibraryObject) -> bool:
        """Data that is made up (random tensors, fakes): how many items there are is the program's own choice."""
        kinds = self.program.knowledge.kinds
        if kinds.get(data.name) == "made-up":
            return True
        if data.call is None or data.frame is None or kinds.get(data.name) != "tensors":
            return False
        values = [value for argument in data.call.args for value in self.program.values(argument, data.frame)]
        return any(isinstance(value, LibraryObject) and kinds.get(value.name) == "made-up" for value in values)

    def _even(self, data: LibraryObject, loader: LibraryObject | Instance, library: str) -> bool:
        """A published dataset that the batch size divides; on one process, since samplers that split it divide further."""
        count = self.program.knowledge.lengths.get(data.name)
        sizes = self.given(loader, "batch_size", library).constants()
        if count is None or not sizes or not self.given(loader, "sampler", library).absent:
            return False
        return all(type(size) is int and size > 0 and count % size == 0 for size in sizes)

    def _multiple(self, length: Term, frame: Context, sizes: tuple[Value, ...]) -> bool:
        """Whether a number of items is a multiple of the batch size, by its value or as it is written."""
        for value in self.program.values(length, frame):
            if not isinstance(value, Unresolved):
                continue
            term = value.term
            if isinstance(term, BinOp) and term.op == "Mult":
                factors = [v for part in term.sides for v in self.program.values(part, value.frame)]
                if any(same_number(one, other) for one in factors for other in sizes):
                    return True
            for constant in _constants(sizes):
                if (
                    isinstance(term, Const)
                    and type(term.value) is int
                    and type(constant) is int
                    and constant
                    and term.value % constant == 0
                ):
                    return True
        return False

    def _filled(self, loader: LibraryObject | Instance, library: str) -> bool:
        """Whether the collate function knows the batch size, and so may fill a batch up."""
        size = self.given(loader, "batch_size", library)
        collate = self.given(loader, "collate_fn", library)
        if not collate.known:
            return True
        for value in collate.values:
            if isinstance(value, (LibraryObject, Instance)) and value.call is not None and value.frame is not None:
                given = (*value.call.args, *(term for _, term in value.call.kwargs))
                values = [v for term in given for v in self.program.values(term, value.frame)]
                if any(same_number(one, other) for one in values for other in size.values):
                    return True
        return any(self._mentions_size(function, size) for function, _ in self.collates(loader, library))

    def _mentions_size(self, function: Function, size: Given) -> bool:
        if size.term is None or isinstance(size.term, Const):
            return False
        return any(
            size.term in (part, *part.subterms())
            for node in statements_of(function)
            if isinstance(node, CallStep)
            for part in (*node.term.args, *(value for _, value in node.term.kwargs))
        )

    def skips(self, body: Block, frame: Context) -> bool:
        """Whether a loop leaves out batches by their size (``if len(x) < size: continue``), or ends after so many."""
        for node in deep(self.program, body, frame):
            if isinstance(node, If):
                ways = {inner.kind for inner in (*node.body, *node.orelse) if isinstance(inner, Exit)}
                if ways & {"continue", "break"} and self._measures(node.condition):
                    return True
                if ways & {"break", "return"} and _counts(node.condition):
                    return True
        return False

    def _measures(self, term: Term) -> bool:
        """Whether a condition asks how large something is."""
        measures = self.program.knowledge.measures
        names = (part.name for part in parts_of(term) if isinstance(part, (Ref, Attr)))
        return any(name.rpartition(".")[2] in measures for name in names)

    # -- collate functions -----------------------------------------------------------------------------------------

    def collates(self, loader: LibraryObject | Instance, library: str) -> Iterator[tuple[Function, Context]]:
        """The project functions that put the items of a loader's batch together, each in an activation of it."""
        collate = self.given(loader, "collate_fn", library)
        for value in collate.values:
            yield from called_elsewhere(self.program, value)


def _constants(values: tuple[Value, ...]) -> list[object]:
    return [value.term.value for value in values if isinstance(value, Unresolved) and isinstance(value.term, Const)]


def same_number(one: Value, other: Value) -> bool:
    """Whether two values are the same constant, or the same term of the same activation."""
    if not isinstance(one, Unresolved) or not isinstance(other, Unresolved):
        return isinstance(one, Library) and one == other
    if isinstance(one.term, Const) and isinstance(other.term, Const):
        return whole_number(one.term) is not None and whole_number(one.term) == whole_number(other.term)
    return one.term is other.term


def _counts(test: Term) -> bool:
    """Whether a test compares what ``enumerate`` counts with a number that is written there."""
    if not isinstance(test, Compare) or whole_number(test.right) is None:
        return False
    count = test.left
    return bool(
        isinstance(count, Subscript) and isinstance(count.base, Element) and isinstance(count.key, Const) and count.key.value == 0
    )


def statement_of(function: Function, call: Call) -> Spot | None:
    """The statement around a call of a function; None when the call is not one of its own."""
    for node in statements_of(function):
        if isinstance(node, CallStep) and node.term is call:
            return node.statement
    return None


def makers(program: Program, loader: LibraryObject | Instance) -> int:
    """How many places ask the function that makes a loader for one."""
    assert loader.frame is not None
    return len(program.ask(CallGraph).callers(loader.frame.function)) if loader.frame.function.kind != "module" else 1
