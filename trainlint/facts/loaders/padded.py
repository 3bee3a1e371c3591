"""Evaluations over a sampler that fills the last round of the ranks up with samples that others have already.

``DistributedSampler`` without ``drop_last`` repeats samples from its beginning until all ranks have equally many (torch 2.13).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.epochs import KIND
from trainlint.facts.gradients.grad_mode import GradMode
from trainlint.facts.loaders.made import Loader, Loaders
from trainlint.facts.loaders.options import Options
from trainlint.facts.loaders.unchanged import is_its_dataset
from trainlint.facts.loops import Loops, loops_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Library, Made
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Ref, Term
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, statements_of

_DROPS, _SHUFFLE = "drop_last", "shuffle"


class Padded(NamedTuple):
    """A loader with such a sampler, the loop that evaluates on it, and the call by which the ranks put their results together."""

    loader: Loader
    sampler: Made
    module: str
    loop: Spot
    reduced: tuple[str, Spot]


def padded(program: Program) -> Iterator[Padded]:
    """Each loader whose padded samples go into results that the ranks put together, once."""
    asked = program.ask(Loops)
    if not any(True for name in _makers(program) for _ in program.ask(CallGraph).sites_named(name)):
        return
    seen: set[tuple[str, Spot]] = set()
    for module, function in list(program.functions()):
        if not of_kind(function, Loop) or tests_software(program, module, function):
            continue
        for loop, _ in loops_of(function):
            if loop.kind != "for" or asked.says(module, function, loop.body, program.knowledge.training):
                continue
            for frame in activations(program, module, function):
                for made in asked.iterated(loop.subject, frame):
                    loader = program.ask(Loaders).of(made)
                    if loader is None or loader.statement is None or (loader.module, loader.spot) in seen:
                        continue
                    sampler = _padding(program, loader)
                    if (
                        sampler is None
                        or not program.ask(GradMode).always_off(frame, _first(loop))
                        or _knows(program, frame, loader)
                    ):
                        continue
                    reduced = _reduced(program, module, function)
                    if reduced is not None:
                        seen.add((loader.module, loader.spot))
                        yield Padded(loader, sampler, module, loop.spot, reduced)


def _makers(program: Program) -> set[str]:
    return {name.rpartition(".")[2] for name, kind in program.knowledge.kinds.items() if kind == KIND}


def _first(loop: Loop) -> Spot:
    """A place in the body of a loop."""
    for node in loop.body:
        if isinstance(node, CallStep):
            return node.term.site
    return loop.spot


def _padding(program: Program, loader: Loader) -> Made | None:
    """The sampler of a loader, if it surely keeps an order and fills up: a library's own, without ``drop_last``."""
    for sampler in program.ask(Loops).feeds(loader.made, KIND):
        if not isinstance(sampler, Made) or sampler.call is None or sampler.frame is None:
            return None
        asked = program.ask(Options)
        drops = asked.settled(asked.given(sampler.call, sampler.frame, _DROPS, sampler.name))
        order = asked.settled(asked.given(sampler.call, sampler.frame, _SHUFFLE, sampler.name))
        if drops.sure and not any(drops.constants) and order.sure and order.constants == (False,):
            return sampler
    return None


def _knows(program: Program, frame: Frame, loader: Loader) -> bool:
    """Whether a function, or one that calls it, asks how long the dataset is: it may leave out what is too much."""
    sites = program.ask(CallGraph).callers(frame.function)
    around = [frame, *(program.frame(site.module, site.function) for site in sites)]
    return any(
        _asks(program, term, each, loader)
        for each in around
        for node in statements_of(each.function)
        for term in node
        if isinstance(term, Term)
    )


def _asks(program: Program, term: Term, frame: Frame, loader: Loader) -> bool:
    measures = program.knowledge.measures
    return any(
        isinstance(part, Call)
        and isinstance(part.callee, Ref)
        and part.callee.name in measures
        and any(is_its_dataset(program, each, frame, loader) for each in part.args)
        for part in parts_of(term)
    )


def _reduced(program: Program, module: str, function: Function) -> tuple[str, Spot] | None:
    """The call in a function, or in one that calls it, by which the ranks put their results together."""
    words = program.knowledge.tables["loaders"]["puts_together"]
    around = [(module, function), *((site.module, site.function) for site in program.ask(CallGraph).callers(function))]
    for path, each in around:
        frame = program.frame(path, each)
        for call in calls_of(each):
            callees = program.values(call.term.callee, frame)
            if any(isinstance(callee, Library) and callee.name in words for callee in callees):
                return path, call.term.site
    return None
