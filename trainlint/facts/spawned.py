"""Functions that are started as processes, and which of their parameters number the processes."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.numbers import is_range
from trainlint.facts.partials import partial_of
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Library
from trainlint.ir.nodes import Call, Const, Dict, Element, SequenceDisplay, Term
from trainlint.ir.sketch import Function

#: How a spawner and a starter call the function they are given.
_SPAWNED = ("fn", "f")
_STARTED = "target"


class Spawned:
    """For every function that is started once for each rank, the parameters that say which one it is."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._numbers: dict[int, set[str]] = {}
        for names, note in ((program.knowledge.spawners, self._spawn), (program.knowledge.starters, self._start)):
            for name in sorted({name.rpartition(".")[2] for name in names}):
                for site in self.index.sites_named(name):
                    frame = program.frame(site.module, site.function)
                    targets = self.index.targets(site.call.term, frame)
                    if any(isinstance(target, Library) and target.name in names for target in targets):
                        note(site.call.term, frame)

    def numbers(self, function: Function) -> set[str]:
        """The parameters of a function that hold the number of its process (none when it is not started as one)."""
        return self._numbers.get(id(function), set())

    def is_started(self, function: Function) -> bool:
        """Whether a function is started as a process at all."""
        return id(function) in self._numbers

    def _spawn(self, call: Call, frame: Frame) -> None:
        """``spawn(fn, args)``: the function gets the number first."""
        given = [*call.args[:1], *(value for name, value in call.kwargs if name in _SPAWNED)]
        for function, filled in self._functions(given, frame):
            self._numbers.setdefault(id(function), set()).update(function.parameters[filled : filled + 1])

    def _start(self, call: Call, frame: Frame) -> None:
        """``Process(target=fn, args=(rank, world))`` in a loop over numbers: what the loop hands out is the number."""
        keywords = dict(call.kwargs)
        arguments = keywords.get("args")
        named = keywords.get("kwargs")
        for function, filled in self._functions([keywords[_STARTED]] if _STARTED in keywords else [], frame):
            found: set[str] = set()
            if arguments is not None and isinstance(arguments, SequenceDisplay):
                positional = zip(function.parameters[filled : function.positional], arguments.items, strict=False)
                found.update(name for name, value in positional if self._counts(value, frame))
            if named is not None and isinstance(named, Dict):
                found.update(key.value for key, value in named.items if isinstance(key, Const) and self._counts(value, frame))
            self._numbers.setdefault(id(function), set()).update(found)

    def _functions(self, given: list[Term], frame: Frame) -> Iterator[tuple[Function, int]]:
        """The functions of the project that are meant, and how many of their first parameters are filled already."""
        for term in given:
            for value in self.program.values(term, frame):
                if isinstance(value, FunctionValue):
                    yield value.function, int(value.receiver is not None)
                elif (partial := partial_of(value)) is not None:
                    for function, filled in self._functions([partial.callee], partial.frame):
                        yield function, filled + partial.filled

    def _counts(self, term: Term, frame: Frame) -> bool:
        """Whether a term is what a loop over ``range(…)`` hands out."""
        return isinstance(term, Element) and is_range(self.program, term.of, frame)
