"""Pipelines of stages: how many there are, and into how many micro-batches a batch is cut, where both are written down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.ir.nodes import Attr, Call, Const, Dict, List, Ref
from trainlint.ir.terms import whole_number
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import own_then_called
from trainlint.program.heap import at, position
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import innermost
from trainlint.program.values import Argument, Context, Library, LibraryObject, Unresolved, Value


class Pipeline(NamedTuple):
    """A call that makes a pipeline."""

    site: CallSite
    stages: int
    batches: int


def pipelines(program: Program) -> Iterator[Pipeline]:
    """Each pipeline of several stages whose numbers are known."""
    index, table = program.ask(CallGraph), program.knowledge.tables["pipelines"]
    for name in sorted({dotted.rpartition(".")[2] for dotted in table}):
        for site in index.sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            targets = index.targets(site.call.term, frame)
            library = targets[0].name if len(targets) == 1 and isinstance(targets[0], Library) else ""
            if library not in table or tests_software(program, site.module, site.function):
                continue
            for activation in own_then_called(program, site):
                stages, batches = (_number(program, site.call.term, activation, library, each) for each in table[library])
                if stages is not None and batches is not None:
                    if stages > 1 and batches > 0:
                        yield Pipeline(site, stages, batches)
                    break


def _number(program: Program, call: Call, frame: Context, library: str, name: str) -> int | None:
    """The number that is given under a parameter, if only one is possible."""
    given = program.ask(Options).given(call, frame, name, library)
    built = innermost(program, given.values, lambda value: _builder(program, value))
    numbers = {_of(program, value) for value in built}
    return numbers.pop() if given.known and len(numbers) == 1 else None


def _builder(program: Program, value: Value) -> tuple[Argument] | None:
    """What a schedule was built of, by a method of its builder."""
    if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
        return None
    callee, tables = value.call.callee, program.knowledge.tables
    if value.name in tables["pipelines.stages"] or not isinstance(callee, Attr):
        return None
    return (Argument(callee.base, value.frame),) if callee.name in tables["pipelines.words"]["builds"] else None


def _of(program: Program, value: Value) -> int | None:
    if isinstance(value, Unresolved):
        return _written(program, value)
    if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
        return None
    parameter = program.knowledge.tables["pipelines.stages"].get(value.name)
    return _number(program, value.call, value.frame, value.name, parameter) if parameter is not None else None


def _written(program: Program, value: Unresolved) -> int | None:
    """The number that a constant is, that a dict says, or of which a list or a dict has an item for each."""
    term = value.term
    if isinstance(term, Const):
        return whole_number(term)
    if isinstance(term, List):
        return len(term.items)
    if not isinstance(term, Dict) or any(not isinstance(key, Const) for key, _ in term.items):
        return None
    for key in program.knowledge.tables["pipelines.words"]["keys"]:
        place = position(term, key)
        if place is not None:
            return whole_number(at(term, place))
    said = all(isinstance(each, tuple) and isinstance(each[1], (Ref, Attr)) for each in term.items)
    return len(term.items) + 1 if said and term.items else None
