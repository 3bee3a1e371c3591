"""What runs in the workers of a loader: the dataset's methods, the functions that put batches together, and all they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.loaders.made import Loader
from trainlint.facts.partials import called_elsewhere
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made, Other, Value
from trainlint.ir.nodes import Attr, Global, Nested, SequenceDisplay, Subscript
from trainlint.ir.sketch import Function

_DEEPEST = 4
_MOST = 60
#: Methods of a dataset that its workers run.
READS = ("__getitem__", "__getitems__", "__iter__", "__next__")
_COLLATE, _INIT = "collate_fn", "worker_init_fn"
#: Datasets of libraries that hand on the samples of those that they are made of.
_AROUND = "around"


class Run(NamedTuple):
    """A function that runs in a worker, in one activation."""

    function: Function
    frame: Frame


class Inside:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._closures: dict[Instance, tuple[Run, ...]] = {}

    def datasets(self, loader: Loader) -> Iterator[Value]:
        """The datasets that a loader reads, those behind a library's ``Subset`` and its like in their place."""
        for value in loader.data():
            yield from self._behind(value, 0)

    def _behind(self, value: Value, depth: int) -> Iterator[Value]:
        around = self.program.knowledge.tables["loaders"]["around"]
        if (
            depth < _DEEPEST and isinstance(value, Other) and isinstance(value.term, Subscript)
        ):  # an item of what ``random_split`` returns
            whole = [each for each in self.program.values(value.term.base, value.frame) if isinstance(each, Made)]
            if whole and all(each.name in around for each in whole):
                for each in whole:
                    yield from self._behind(each, depth + 1)
                return
        if depth >= _DEEPEST or not isinstance(value, Made) or value.name not in around or value.call is None:
            yield value
            return
        assert value.frame is not None
        for term in value.call.args[:1] or [each for name, each in value.call.kwargs if name in ("dataset", "datasets")]:
            for inner in self.program.values(term, value.frame):
                for part in self._parts(inner):
                    yield from self._behind(part, depth + 1)

    def _parts(self, value: Value) -> tuple[Value, ...]:
        """The items of a list that is written down; else the value."""
        if isinstance(value, Other) and isinstance(value.term, SequenceDisplay):
            return tuple(each for item in value.term.items for each in self.program.values(item, value.frame))
        return (value,)

    def reading(self, dataset: Value) -> tuple[Run, ...]:
        """What runs when a worker reads samples of a dataset of the project."""
        if not isinstance(dataset, Instance):
            return ()
        known = self._closures.get(dataset)
        if known is None:
            cls = ClassValue(dataset.module, dataset.cls)
            methods = (self.program.method(cls, name) for name in READS)
            roots = [Run(each[1], self.program.instance_frame(dataset, *each)) for each in methods if each is not None]
            known = self._closures[dataset] = tuple(self.closure(roots))
        return known

    def collating(self, loader: Loader) -> tuple[Run, ...]:
        """What runs when the samples of a batch are put together."""
        return tuple(self.closure(self._started(loader, _COLLATE)))

    def beginning(self, loader: Loader) -> tuple[Run, ...]:
        """What runs once when a worker begins."""
        return tuple(self.closure(self._started(loader, _INIT)))

    def _started(self, loader: Loader, name: str) -> Iterator[Run]:
        for value in loader.given(name).values:
            yield from starmap(Run, called_elsewhere(self.program, value))

    def closure(self, roots: Iterable[Run]) -> list[Run]:
        """Functions, and all that they call or hand on to be called, as far as that is known."""
        found: list[Run] = []
        seen: set[int] = set()
        pending = [(run, 0) for run in roots]
        while pending and len(found) < _MOST:
            run, depth = pending.pop(0)
            if id(run.function) in seen:
                continue
            seen.add(id(run.function))
            found.append(run)
            if depth < _DEEPEST:
                pending += [(each, depth + 1) for each in self._runs(run)]
        return found

    def _runs(self, run: Run) -> Iterator[Run]:
        for call in calls_of(run.function):
            for target in self.index.targets(call.term, run.frame):
                if isinstance(target, FunctionValue) and not run.frame.runs(target.function):
                    yield Run(target.function, self.program.enter(target, call.term, run.frame))
            for given in (*call.term.args, *(value for _, value in call.term.kwargs)):
                if isinstance(given, (Nested, Global, Attr)):
                    for value in self.program.values(given, run.frame):
                        if isinstance(value, FunctionValue):
                            yield from starmap(Run, called_elsewhere(self.program, value))
