"""How a dataset is made, stage by stage: ``TFRecordDataset(files).map(parse).shuffle(1000).batch(32).prefetch(2)``.

A pipeline is written over many statements, functions and files, and tests decide which stages it has. Here it is one sequence for
each way; a way that cannot be seen to its beginning has no source.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.components import imported
from trainlint.facts.constant_branch import alternatives
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Library, Made, Other, Value
from trainlint.ir.names import dotted_name
from trainlint.ir.nodes import Attr, BoolOp, Call, Ref, Select, Slice, Subscript, Term, Unknown

_MOST = 8
_LONGEST = 40
_APPLY, _SLICE = "apply", "slice"


class Stage(NamedTuple):
    """One stage: what it does (a word of the table ``datasets.stages``), the call that makes it, and where.

    Of ``apply(f(…))`` that is the call of ``f``, where the tables know it; a slice is no call.
    """

    word: str
    term: Call | Subscript
    frame: Frame

    @property
    def call(self) -> Call:
        """The call, of any stage but a slice."""
        assert isinstance(self.term, Call)
        return self.term


class Pipeline(NamedTuple):
    """One way in which a dataset is made.

    ``source`` is what the table ``datasets`` says of its beginning (None: out of sight), ``first`` the call of it; the stages
    follow in the order in which elements pass them.
    """

    source: str | None
    first: Call | None
    stages: tuple[Stage, ...] = ()

    def words(self) -> tuple[str, ...]:
        """What the stages do, in order."""
        return tuple(stage.word for stage in self.stages)

    def behind(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages that come after one of them."""
        return self.stages[self.stages.index(stage) + 1 :]

    def before(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages that come before one of them."""
        return self.stages[: self.stages.index(stage)]


_UNSEEN = (Pipeline(None, None),)


class Pipelines:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self.sources = tables["datasets"]
        self.stages = tables["datasets.stages"]
        self.applied = tables["datasets.applied"]
        self.hands_on = frozenset(tables["datasets.hands_on"]["names"])
        self.home = str(tables["datasets.tells"]["home"][0])
        self.tells = frozenset(tables["datasets.tells"]["keywords"])
        self._near: frozenset[str] | None = None

    def of(self, term: Term, frame: Frame, depth: int = 0) -> tuple[Pipeline, ...]:
        """The ways in which a value is made that is a dataset, its elements' iterator, or none (then one way without source)."""
        answers = frame.answers_of("pipelines")
        known = answers.get(term)
        if known is None:
            answers[term] = _UNSEEN  # ends recursion
            found = tuple(dict.fromkeys(self._follow(term, frame, depth + 1))) if depth < _LONGEST else _UNSEEN
            known = answers[term] = found[:_MOST] or _UNSEEN
        return known

    def seen(self, term: Term, frame: Frame) -> tuple[Pipeline, ...]:
        """The ways in which a value is made that is a dataset for certain: each has a source, or a stage that says so."""
        found = self.of(term, frame)
        return found if all(each.source is not None or self._tells(each) for each in found) else ()

    def _tells(self, way: Pipeline) -> bool:
        """Whether stages are given what only a dataset of a library that the file imports is given."""
        for stage in way.stages:
            if isinstance(stage.term, Call):
                given = (*stage.term.args, *(value for _, value in stage.term.kwargs))
                if any(isinstance(part, Ref) and part.name.startswith(self.home) for part in given):
                    return True
                if any(name in self.tells for name, _ in stage.term.kwargs) and self._imports(stage.frame.module):
                    return True
        return False

    def _imports(self, path: str) -> bool:
        """Whether a file imports the library that such keywords belong to."""
        root = self.home.partition(".")[0]
        return any(dotted.partition(".")[0] == root for dotted in imported(self.program.modules[path]))

    def _follow(self, term: Term, frame: Frame, depth: int) -> Iterator[Pipeline]:
        if isinstance(term, (Select, BoolOp)):
            for part in alternatives(term, frame):
                yield from self.of(part, frame, depth)
            return
        if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.stages:
            before = self.of(term.callee.base, frame, depth)
            own = () if any(each.source is not None for each in before) else self.program.values(term.callee, frame)
            if not any(isinstance(value, FunctionValue) for value in own):
                for each in before:
                    yield self._staged(each, str(self.stages[term.callee.name]), term, frame)
                return
        if isinstance(term, Subscript) and isinstance(term.key, (Slice, Unknown)):
            for each in self.of(term.base, frame, depth):
                yield self._staged(each, str(self.stages[_SLICE]), term, frame)
            return
        for value in self.program.values(term, frame):
            yield from self._of_value(value, term, depth)

    def _staged(self, before: Pipeline, word: str, term: Call | Subscript, frame: Frame) -> Pipeline:
        if word == _APPLY and isinstance(term, Call):
            given = term.args[0] if term.args else None
            name = dotted_name(given.callee) if isinstance(given, Call) else None
            word = str(self.applied.get(self.program.knowledge.canonical(name), _APPLY)) if name is not None else _APPLY
            term = given if isinstance(given, Call) and word != _APPLY else term
        return before._replace(stages=(*before.stages, Stage(word, term, frame)))

    def _of_value(self, value: Value, term: Term, depth: int) -> Iterator[Pipeline]:
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            yield from self._made(value.name, value.call, value.frame, depth)
        elif isinstance(value, Made) and value.name in self.sources:
            yield Pipeline(str(self.sources[value.name]), None)
        elif isinstance(value, Other) and isinstance(value.term, Subscript) and value.term is not term:
            yield from self.of(value.term, value.frame, depth)
        elif isinstance(value, Other) and isinstance(value.term, Subscript):
            for each in self.of(value.term.base, value.frame, depth):  # one of several splits
                yield each if not each.stages else Pipeline(None, None)
        elif isinstance(value, Other) and value.term is not term and isinstance(value.term, (Select, Call)):
            yield from self.of(value.term, value.frame, depth)
        else:
            yield Pipeline(None, None)

    def _made(self, name: str, call: Call, frame: Frame, depth: int) -> Iterator[Pipeline]:
        """What a library's call made: a source, a stage of another dataset, or what hands its elements on."""
        callee = call.callee
        word = self.sources.get(name)
        if word is not None:
            yield Pipeline(str(word), call)
        elif name in self.hands_on and call.args:
            yield from self.of(call.args[0], frame, depth)
        elif isinstance(callee, Attr) and callee.name in self.stages:
            for each in self.of(callee.base, frame, depth):
                yield self._staged(each, str(self.stages[callee.name]), call, frame)
        else:
            yield Pipeline(None, None)

    def near(self, path: str) -> bool:
        """Whether a file belongs together with one that imports a library of such datasets: elsewhere there are none."""
        if self._near is None:
            roots = {name.partition(".")[0] for name in self.sources}
            modules = self.program.modules.items()
            found = (each for each, module in modules if any(name.partition(".")[0] in roots for name in imported(module)))
            self._near = frozenset(self.program.component(each) for each in found)
        return bool(self._near) and self.program.component(path) in self._near

    def ending(self, word: str) -> Iterator[tuple[CallSite, Frame, Pipeline]]:
        """The pipelines that end with a stage of this word, at each place where one is added, in each activation."""
        for name in (name for name, said in self.stages.items() if said in (word, _APPLY)):
            for site in self.program.ask(CallGraph).sites.get(name, ()):
                if not isinstance(site.call.term.callee, Attr) or not self.near(site.module):
                    continue
                given = site.call.term.args[0] if name == _APPLY and site.call.term.args else site.call.term
                for frame in activations(self.program, site.module, site.function):
                    for each in self.seen(site.call.term, frame):
                        if each.words()[-1:] == (word,) and each.stages[-1].term is given:
                            yield site, frame, each


def calls_library(program: Program, call: Call, frame: Frame, names: frozenset[str]) -> bool:
    """Whether a call is one of a library's function, by its dotted name."""
    if last_name(call.callee) not in {name.rpartition(".")[2] for name in names}:
        return False
    return any(isinstance(value, Library) and value.name in names for value in program.values(call.callee, frame))


__all__ = ["Pipeline", "Pipelines", "Stage", "calls_library"]
