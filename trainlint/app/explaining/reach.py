"""Who reaches a function, under which tests: callers, their callers, up to where nobody calls."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.app.explaining.around import Places
from trainlint.app.explaining.ranks import Meanings
from trainlint.app.explaining.text import Step, first_few
from trainlint.finding import Spot
from trainlint.ir.nodes import Term
from trainlint.ir.sketch import Block, Function, If, Statement
from trainlint.ir.walk import Region, ends_early, threaded
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.indirect_calls import Decorated, Spawned
from trainlint.program.program import Program

_Tests = tuple[tuple[Term, bool, Spot], ...]


def tests_on_the_way(block: Block, wanted: Statement) -> _Tests:
    """The tests on the way to a statement of a block, also those behind which others left."""
    none: _Tests = ()
    return next((tests for node, tests in threaded(block, none, _inside, _behind) if node is wanted), none)


def _inside(tests: _Tests, node: Region, number: int) -> _Tests:
    return (*tests, (node.condition, number == 0, node.test)) if isinstance(node, If) else tests


def _behind(tests: _Tests, node: Statement) -> _Tests:
    if not isinstance(node, If) or ends_early(node.body) == ends_early(node.orelse):
        return tests
    return (*tests, (node.condition, ends_early(node.orelse), node.test))


class Reach:
    """Tells who reaches a function."""

    def __init__(self, program: Program, places: Places, meanings: Meanings) -> None:
        self.program = program
        self.places = places
        self.meanings = meanings
        self.index = program.ask(CallGraph)

    def steps(self, module: str, function: Function) -> tuple[Step, ...]:
        """The call sites, each followed by those that reach its function, indented."""
        return first_few(self._callers(module, function, 0, {id(function)}))

    def _callers(self, module: str, function: Function, depth: int, seen: set[int]) -> Iterator[Step]:
        if function.kind == "module":
            if depth == 0:
                yield Step("it runs when the file is run or imported")
            return
        started = self.program.ask(Spawned).numbers(function)
        if started:
            yield Step(f"`{function.name}` is started as a process, once for each rank", None, depth)
        for path, wrapped, index in self.program.ask(Decorated).by(function):
            at = self.places.at(path, wrapped.decorator_spots[index])
            yield Step(f"stands in the place of `{wrapped.qualname}`, which it decorates", at, depth)
            if id(wrapped) not in seen:
                yield from self._callers(path, wrapped, depth + 1, {*seen, id(wrapped)})
        sites = [site for site in self.index.callers(function) if site.function is not function]
        if not sites and not started and not any(self.program.ask(Decorated).by(function)):
            yield Step(f"no caller is seen of `{function.qualname}`{self._behind(function)}", None, depth)
        for site in sites:
            at = self.places.at(site.module, site.call.term.site)
            where = "at the top level" if site.function.kind == "module" else f"in `{site.function.qualname}`"
            yield Step(f"called {where}{self._under(site)}", at, depth)
            if id(site.function) not in seen and site.function.kind != "module":
                yield from self._callers(site.module, site.function, depth + 1, {*seen, id(site.function)})
        del module

    def _behind(self, function: Function) -> str:
        """Why a function that nobody calls may run all the same."""
        if function.kind == "property":
            return " (it is a property)"
        if function.cls is not None:
            return " by a name that leads here; a library or an object of an unknown class may"
        return ""

    def _under(self, site: CallSite) -> str:
        tests = tests_on_the_way(site.function.body, site.call)
        frame = self.program.frame(site.module, site.function)
        said = []
        for condition, arm, spot in tests:
            meaning = self.meanings.of(condition, frame)
            if meaning.word in ("rank-dependent", "per-rank data"):
                text = self.places.text(site.module, spot)
                said.append(f"`{text if arm else f'not ({text})'}` ({meaning.word}: {meaning.text})")
        return f", under {' and '.join(said)}" if said else ""
