"""Which functions train a model whose gradients the ranks average themselves, without a wrapper (``all_reduce(p.grad)``).

Who does so trains one model on all ranks, each with a batch of its own, as those do who wrap it.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.ir.nodes import Attr, Comprehension, Term
from trainlint.ir.terms import parts_of

#: How many calls lead from a training step to where gradients are averaged.
_FAR = 3


def averaged_by_hand(program: Program) -> frozenset[int]:
    """The functions (by id) in which ranks average gradients over all of them, or that call one of these."""
    return frozenset(_found(program))


def _found(program: Program) -> set[int]:
    index = program.ask(CallGraph)
    names = program.knowledge.tables["parallel.averages"]["names"]
    fresh = [site.function for name in names for site in index.sites_named(name) if _averages(program, site)]
    found: set[int] = set()
    for _ in range(_FAR):
        fresh = [function for function in fresh if id(function) not in found]
        found.update(map(id, fresh))
        fresh = [site.function for function in fresh if function.kind != "module" for site in index.callers(function)]
    return found


def _averages(program: Program, site: CallSite) -> bool:
    """Whether a call is a collective of all ranks that is given gradients."""
    call, knowledge = site.call.term, program.knowledge
    frame = program.frame(site.module, site.function)
    names = {target.name for target in program.ask(CallGraph).targets(call, frame) if isinstance(target, Library)}
    positions = [knowledge.collectives[name] for name in names if name in knowledge.collectives]
    if not positions or any(name in knowledge.group_keywords for name, _ in call.kwargs):
        return False
    if any(-1 < position < len(call.args) for position in positions):
        return False
    given = (*call.args[:1], *(value for _, value in call.kwargs))
    return any(isinstance(part, Attr) and part.name in knowledge.gradient_attributes for part in _parts(given))


def _parts(terms: tuple[Term, ...]) -> Iterator[Term]:
    """The parts of terms, and those of the comprehensions among them."""
    for part in parts_of(*terms):
        yield part
        if isinstance(part, Comprehension):
            yield from parts_of(part.item)


__all__ = ["averaged_by_hand"]
