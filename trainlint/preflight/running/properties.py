"""Properties that a function reads: what stands in their bodies runs, though nothing calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.use_index import roots
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import And, Attr, BoolOp, Select, Term
from trainlint.ir.sketch import CallStep, Function, Statement

_PROPERTY = "property"


class Read(NamedTuple):
    """Where a property is read, what leads there, and the function that works it out."""

    spot: Spot
    led: Led
    target: FunctionValue


class Properties:
    """Those that the functions of some files read."""

    def __init__(self, program: Program, files: Callable[[], Iterable[str]]) -> None:
        self.program = program
        self.files = files
        self._found: dict[int, list[Read]] = {}

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of all properties in the files."""
        functions = (each for path in self.files() for each in self.program.modules[path].functions.values())
        return frozenset(each.name for each in functions if each.kind == _PROPERTY)

    def of(self, path: str, function: Function) -> list[Read]:
        """Those that a function reads, of objects of which the class is known."""
        if id(function) not in self._found:
            self._found[id(function)] = list(self._reads(path, function))
        return self._found[id(function)]

    def _reads(self, path: str, function: Function) -> Iterator[Read]:
        frame = self.program.frame(path, function)
        for node, led in walk_tested(function.body):
            spot = _spot(node)
            for part, behind in _parts(node, led) if spot is not None else ():
                if isinstance(part, Attr) and part.name in self._names:
                    yield from (Read(spot, behind, each) for each in _of(self.program, part, frame) if spot is not None)


def _parts(node: Statement, led: Led) -> Iterator[tuple[Term, Led]]:
    """The terms of a statement, and those in them, each with what leads there: ``self.cached if args.cache else data``."""
    waiting = [(each, led) for each in roots(node)]
    seen = set(waiting)
    while waiting:
        term, behind = waiting.pop()
        yield term, behind
        if isinstance(term, Select):
            test = term.test
            more = [(test, behind), (term.then, (*behind, (test, True))), (term.other, (*behind, (test, False)))]
        elif isinstance(term, BoolOp):
            more = [
                (each, (*behind, *((one, isinstance(term, And)) for one in term.operands[:n])))
                for n, each in enumerate(term.operands)
            ]
        else:
            more = [(each, behind) for each in term.subterms()]
        fresh = [each for each in more if each not in seen]
        seen.update(fresh)
        waiting += fresh


def _spot(node: Statement) -> Spot | None:
    """Where a statement stands."""
    found = node.term.site if isinstance(node, CallStep) else getattr(node, "spot", None)
    return found if isinstance(found, Spot) else None


def _of(program: Program, term: Attr, frame: Frame) -> Iterator[FunctionValue]:
    for base in program.values(term.base, frame):
        if not isinstance(base, Instance):
            continue
        found = program.method(ClassValue(base.module, base.cls), term.name)
        if found is None:
            continue
        path, method = found
        # one that can be set, too, has several functions of its name: what is read is worked out by the first
        same = (each for each in program.modules[path].functions.values() if (each.name, each.cls) == (method.name, method.cls))
        getter = next((each for each in same if each.kind == _PROPERTY), None)
        if getter is not None:
            yield FunctionValue(path, getter, base)
