"""Loaders from out of sight that the program itself expects to shuffle by epoch: a test of their sampler says so.

A training framework gets its loaders from its users. Where it asks ``if not isinstance(loader.sampler, DistributedSampler)``
and complains, the loader it wants is one with such a sampler; and it is the framework that iterates it, epoch after epoch.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.loops import BatchLoop, Loops, loops_of
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library, Made, Other
from trainlint.ir.nodes import And, Attr, Not, Term
from trainlint.ir.sketch import If
from trainlint.ir.walk import effects, statements_of

_DEEPEST = 4


def supposed(program: Program, asked: Loops, kind: str) -> Iterator[tuple[BatchLoop, Made]]:
    """Training loops over unknown loaders whose sampler is expected to be of ``kind``, each with that sampler.

    The loader and the sampler of such a loop are stand-ins: their "call" is the test that speaks of them.
    """
    expected: dict[tuple[Term, int], Made] = {}
    for site in asked.index.sites_named("isinstance"):
        expected.update(_expected(program, site, kind))
    for path, function in program.functions() if expected else ():
        for loop, around in loops_of(function):
            if loop.kind == "for" and asked.says(path, function, loop.body, program.knowledge.training):
                for frame in activations(program, path, function):
                    for source in _sources(program, loop.subject, frame, 0):
                        sampler = expected.get((source.term, id(source.frame.function)))
                        if sampler is not None:
                            yield BatchLoop(frame, loop.subject, loop.spot, around, sampler), sampler


def _expected(program: Program, site: CallSite, kind: str) -> Iterator[tuple[tuple[Term, int], Made]]:
    """The loaders of which a call ``isinstance(loader.sampler, …)`` says that it must be so."""
    call = site.call.term
    loader = _sampled(call.args[0]) if call.args else None
    if loader is None or not _demands(site):
        return
    frame = program.frame(site.module, site.function)
    kinds = [v.name for v in program.values(call.args[-1], frame) if isinstance(v, Library)]
    if len(kinds) == 1 and program.knowledge.kinds.get(kinds[0]) == kind:
        for value in program.values(loader, frame):
            if isinstance(value, Other):
                yield (value.term, id(value.frame.function)), Made(kinds[0], call, frame)


def _sampled(term: Term) -> Term | None:
    """The loader of which this is the sampler: directly, or the one in its batch sampler."""
    if not isinstance(term, Attr) or term.name != "sampler":
        return None
    holder: Term = term.base
    return holder.base if isinstance(holder, Attr) and holder.name == "batch_sampler" else holder


def _demands(site: CallSite) -> bool:
    """Whether the program objects when the test fails: ``if … and not isinstance(…):`` or ``assert isinstance(…)``."""
    call = site.call.term
    for node in statements_of(site.function):
        if isinstance(node, If):
            parts = node.condition.operands if isinstance(node.condition, And) else (node.condition,)
            if any(isinstance(part, Not) and part.operand is call for part in parts):
                return True
            if node.condition is call and not effects(node.body):
                return True
    return False


def _sources(program: Program, subject: Term, frame: Frame, depth: int) -> Iterator[Other]:
    """The unknown things behind an iterated expression (through ``enumerate``, ``tqdm`` …)."""
    for value in program.values(subject, frame):
        if isinstance(value, Other):
            yield value
        elif isinstance(value, Made) and value.call is not None and value.frame is not None and depth < _DEEPEST:
            shape = program.knowledge.iterates.get(value.name)
            handed_on = value.call.args if shape == "zipped" else value.call.args[:1] if shape in ("same", "indexed") else ()
            for argument in handed_on:
                yield from _sources(program, argument, value.frame, depth + 1)
