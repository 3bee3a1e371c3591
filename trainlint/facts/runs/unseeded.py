"""Whether anybody seeds the generators of random numbers: where nobody does, each process draws numbers of its own."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program
from trainlint.ir.names import text_of
from trainlint.ir.nodes import Call, Term
from trainlint.ir.sketch import CallStep, Module
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

_SEED = "seed"


def is_unseeded(program: Program) -> bool:
    """Whether no call of a program, and nothing that a call is told by keyword, speaks of a seed."""
    index = program.ask(CallGraph)
    named = any(_SEED in name.lower() for name in index.sites)
    told = named or any(
        keyword is not None and _SEED in keyword.lower()
        for sites in index.sites.values()
        for site in sites
        for keyword, _ in site.call.term.kwargs
    )
    return not told


def of_component(program: Program, path: str) -> bool:
    """The same of the files that belong together with one, where an option or a setting of that name counts, too."""
    return program.ask_of(_is_unseeded, program.component(path))


def _is_unseeded(program: Program, component: str) -> bool:
    return not any(_speaks(module) for path, module in program.modules.items() if program.component(path) == component)


def _speaks(module: Module) -> bool:
    """Whether a file mentions a seed: a function, an attribute, a parameter, a text such as that of an option."""
    for function in module.functions.values():
        if any(_SEED in name.lower() for name in (function.name, *function.parameters)):
            return True
        seen: set[Term] = set()
        for node in of_kind(function, CallStep):
            for part in parts_of(node.term):
                if part in seen:
                    continue
                seen.add(part)
                if isinstance(part, Call) and any(_SEED in (name or "").lower() for name, _ in part.kwargs):
                    return True
                if _SEED in (text_of(part) or "").lower():
                    return True
    return any(_SEED in name.lower() for name in module.names)
