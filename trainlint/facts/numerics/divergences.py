"""Divergences that are averaged over everything because nobody said how: ``kl_div(p, q)``."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.ir.nodes import Star

_WORD = "divergence"
#: The parameters that say how the terms of a loss become one number; the first two are those of earlier versions.
_REDUCTIONS = frozenset(("size_average", "reduce", "reduction"))


def unsaid(program: Program) -> Iterator[tuple[CallSite, str]]:
    """Each call of a divergence, or of what makes one, that leaves its reduction to the default; with the name of the loss."""
    known = program.knowledge
    index = program.ask(CallGraph)
    for name, word in known.expecting.items():
        if word != _WORD:
            continue
        for site in index.sites_named(name.rpartition(".")[2]):
            call = site.call.term
            values = program.values(call.callee, program.frame(site.module, site.function))
            if [value.name for value in values if isinstance(value, Library)] != [name] or len(values) != 1:
                continue
            named = {key for key, _ in call.kwargs}
            positional = known.signatures.get(name, [])[: len(call.args)]
            spread = None in named or any(isinstance(given, Star) and not site.function.is_rest(given) for given in call.args)
            if not spread and _REDUCTIONS.isdisjoint((*named, *positional)):
                yield site, name
