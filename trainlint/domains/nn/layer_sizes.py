"""Sizes of layers that are written down and no multiple of 8, where something computes in half precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.finding import Spot
from trainlint.ir.nodes import NAMED, Call, Const, Term
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.imports import imported, module_of
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Library

_STEP = 8
#: What padding a vocabulary for the larger tiles of newer cores costs is less than it gains.
_STEP_OF_VOCABULARIES = 64
#: Smaller layers cost nothing; smaller outputs are classes.
_LEAST, _LEAST_OF_VOCABULARIES = 128, 4096
_HALF = 16


class Misaligned(NamedTuple):
    """A layer with such a size, the next better one, and another layer that takes what this one makes."""

    site: CallSite
    size: int
    better: int
    vocabulary: bool
    other: Spot | None


def misaligned(program: Program) -> Iterator[Misaligned]:
    """Each size once for each function that makes layers of it."""
    tables = program.knowledge.tables
    for site, library in _made(program, tables["aligned"]):
        for name in tables["aligned"][library]:
            size = _size(program, site, name, library)
            if size is not None and size >= _LEAST and size % _STEP and _is_fast(program, site.module):
                yield Misaligned(site, size, _next(size, _STEP), False, None)
                break
    yield from _between(program)


def _made(program: Program, table: Mapping[str, Any]) -> Iterator[tuple[CallSite, str]]:
    index = program.ask(CallGraph)
    for name in sorted({dotted.rpartition(".")[2] for dotted in table}):
        for site in index.sites.get(name, ()):
            targets = index.targets(site.call.term, program.frame(site.module, site.function))
            library = targets[0].name if len(targets) == 1 and isinstance(targets[0], Library) else None
            if library is None or library not in table or tests_software(program, site.module, site.function):
                continue
            if not program.ask_of(_told, site.module).given:
                yield site, library


def _between(program: Program) -> Iterator[Misaligned]:
    """Sizes between two layers of one function, and vocabularies at the end, in files that compute in half precision."""
    table, words = program.knowledge.tables["aligned.between"], program.knowledge.tables["aligned.words"]
    takes: dict[tuple[int, int], CallSite] = {}
    makes: dict[tuple[int, int], tuple[CallSite, bool]] = {}
    for site, library in _made(program, table):
        if not program.ask_of(_told, site.module).fast:
            continue
        first, second = (_size(program, site, name, library) for name in table[library])
        if first is not None:
            takes.setdefault((id(site.function), first), site)
        if second is not None:
            term = program.ask(Options).argument(site.call.term, table[library][1], library)
            named = term is not None and any(word in _name(part) for part in parts_of(term) for word in words["vocabulary"])
            makes.setdefault((id(site.function), second), (site, named))
    for key, (site, named) in makes.items():
        size = key[1]
        other = takes.get(key)
        if size % _STEP and named and size >= _LEAST_OF_VOCABULARIES:
            yield Misaligned(site, size, _next(size, _STEP_OF_VOCABULARIES), True, None)
        elif size % _STEP and size >= _LEAST and other is not None and other.call is not site.call:
            yield Misaligned(site, size, _next(size, _STEP), False, Spot(*other.call.term.site))


def _name(term: Term) -> str:
    return term.name.lower() if isinstance(term, NAMED) else ""


def _next(size: int, step: int) -> int:
    return -(-size // step) * step


def _size(program: Program, site: CallSite, name: str, library: str) -> int | None:
    """The size that is written down, if nothing else is possible."""
    asked = program.ask(Options)
    settled = asked.settled(asked.given(site.call.term, program.frame(site.module, site.function), name, library))
    sizes = [each for each in settled.constants if type(each) is int]
    return sizes[0] if settled.sure and len(sizes) == 1 == len(settled.constants) else None


# -- what it is computed with -------------------------------------------------------------------------------------------------


class _Told(NamedTuple):
    """What the calls of a file tell: that its weights come from others, that something computes in half precision."""

    given: bool
    fast: bool


def _told(program: Program, module: str) -> _Told:
    """What a file tells."""
    words, functions = program.knowledge.tables["aligned.words"], program.modules[module].functions.values()
    made = [call.term for function in functions for call in calls_of(function)]
    names = {function.name for function in functions} | {last_name(call.callee) for call in made}
    return _Told(not names.isdisjoint(words["given"]), any(_says(call, words) for call in made))


def _says(call: Call, words: Mapping[str, Any]) -> bool:
    if last_name(call.callee) in words["calls"]:
        return True
    given = [value for name, value in call.kwargs if name in words["keywords"]]
    return any(isinstance(value, Const) and _means_half(value.value, words["off"]) for value in given)


def _means_half(value: object, off: list[str]) -> bool:
    return value is True or value == _HALF or (isinstance(value, str) and value not in off)


def _is_fast(program: Program, module: str) -> bool:
    """The same of a file and of those that import it, directly or through one other."""
    users = program.ask(_importers)
    direct = users.get(module, frozenset())
    far = {other for path in direct for other in users.get(path, ())}
    return any(program.ask_of(_told, path).fast for path in {module, *direct, *far})


def _importers(program: Program) -> dict[str, frozenset[str]]:
    """Each file that is imported, and which files import it."""
    found: dict[str, set[str]] = {}
    for path, sketch in program.modules.items():
        for dotted in imported(sketch):
            target = module_of(program.finder, path, dotted)
            if target is not None and target != path:
                found.setdefault(target, set()).add(path)
    return {path: frozenset(users) for path, users in found.items()}
