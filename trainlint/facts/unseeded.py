"""Whether anybody seeds the generators of random numbers: where nobody does, each process draws numbers of its own."""

from __future__ import annotations

from trainlint.facts.calls import calls
from trainlint.facts.program import Program

_SEED = "seed"


def is_unseeded(program: Program) -> bool:
    """Whether no call of a program, and nothing that a call is told by keyword, speaks of a seed."""
    known = program.analyses.get("unseeded")
    if known is None:
        index = calls(program)
        named = any(_SEED in name.lower() for name in index.sites)
        told = named or any(
            keyword is not None and _SEED in keyword.lower()
            for sites in index.sites.values()
            for site in sites
            for keyword, _ in site.call.term[3]
        )
        known = program.analyses["unseeded"] = not told
    return bool(known)
