"""Loaders whose sampler gives each rank a part, and which are then prepared by a library that divides their batches again.

Run with accelerate 1.15 on two processes: of sixteen samples, eight are seen. Lightning and Fabric leave such a sampler as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.epochs import KIND
from trainlint.facts.loaders.made import Loader, Loaders
from trainlint.facts.loaders.options import Options
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Instance, Library, Made, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call

_SAMPLER, _REPLICAS, _SHUFFLE = "sampler", "num_replicas", "shuffle"


class Twice(NamedTuple):
    """A loader with a distributed sampler, that sampler, the call that prepares the loader; ``shuffles``: the sampler does."""

    loader: Loader
    sampler: Made | Instance
    module: str
    prepared: Spot
    shuffles: bool


def twice(program: Program) -> Iterator[Twice]:
    """Each loader that is divided by its sampler and again by what prepares it, once."""
    names = program.knowledge.tables["loaders"]["divides"]
    seen: set[tuple[str, Spot]] = set()
    index = program.ask(CallGraph)
    for last in sorted({name.rpartition(".")[2] for name in names}):
        for site in index.sites.get(last, ()):
            if tests_software(program, site.module, site.function):
                continue
            for found in _prepared(program, site, names):
                key = (found.loader.module, found.loader.spot)
                if key not in seen:
                    seen.add(key)
                    yield found


def _prepared(program: Program, site: CallSite, names: list[str]) -> Iterator[Twice]:
    call = site.call.term
    for frame in activations(program, site.module, site.function):
        callees = program.values(call.callee, frame)
        if not callees or not all(isinstance(callee, Library) and callee.name in names for callee in callees):
            continue
        if not _divides(program, call, frame):
            continue
        for argument in call.args:
            for value in program.values(argument, frame):
                loader = program.ask(Loaders).of(value) if isinstance(value, (Made, Instance)) else None
                sampler = _sampler(program, loader) if loader is not None else None
                if loader is not None and sampler is not None:
                    yield Twice(loader, sampler, site.module, call.site, _shuffles(program, sampler))


def _divides(program: Program, call: Call, frame: Frame) -> bool:
    """Whether what prepares is seen to be made, with nothing that says how batches are divided."""
    keeps = program.knowledge.tables["loaders"]["dividing"]
    makers = program.values(call.callee.base, frame) if isinstance(call.callee, Attr) else ()
    return bool(makers) and all(
        isinstance(maker, Made)
        and maker.call is not None
        and not any(name is None or name in keeps for name, _ in maker.call.kwargs)
        for maker in makers
    )


def _sampler(program: Program, loader: Loader) -> Made | Instance | None:
    """The distributed sampler that a loader surely has."""
    given = loader.given(_SAMPLER)
    found: list[Value] = [value for value in given.values if program.ask(Loops).library(value, KIND)]
    if not given.known or not found or len(found) != len(given.values):
        return None
    sampler = found[0]
    if not isinstance(sampler, Made) or sampler.call is None or sampler.frame is None:
        return None
    replicas = program.ask(Options).given(sampler.call, sampler.frame, _REPLICAS, sampler.name)
    return None if replicas.constants() == [1] else sampler


def _shuffles(program: Program, sampler: Made | Instance) -> bool:
    assert sampler.call is not None
    assert sampler.frame is not None
    name = sampler.name if isinstance(sampler, Made) else None
    given = program.ask(Options).given(sampler.call, sampler.frame, _SHUFFLE, name)
    found = program.ask(Options).settled(given)
    return found.sure and all(each is True for each in found.constants)
