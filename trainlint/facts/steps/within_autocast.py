"""Backward passes that run while an autocast is on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.precision.autocast import Autocast, Autocasts
from trainlint.facts.precision.backwards import backwards
from trainlint.facts.precision.regimes import Regimes
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Term
from trainlint.ir.sketch import With
from trainlint.ir.walk import of_kind


class Covered(NamedTuple):
    """A backward pass under an autocast; ``block`` is the ``with`` around it, where that stands in the same function."""

    call: Call
    frame: Frame
    statement: Spot
    autocast: Autocast
    block: Spot | None


def covered(program: Program) -> Iterator[Covered]:
    """The backward passes that run under an autocast."""
    asked = program.ask(Regimes)
    sites = program.ask(CallGraph).sites
    names = {name.rpartition(".")[2] for name in program.knowledge.autocasts}
    paths = list(dict.fromkeys(site.module for name in names for site in sites.get(name, ())))
    seen: set[Term] = set()
    for backward in backwards(program, paths):
        site, frame = backward.site, backward.frame
        regime = asked.of(site.call.term, frame)
        if site.call.term in seen or not regime.grad or not regime.autocasts:
            continue
        if any(autocast.enabled is False for autocast in regime.autocasts):
            continue
        seen.add(site.call.term)
        yield Covered(site.call.term, frame, site.call.statement, regime.autocasts[0], _block(program, site.call.term, frame))


def _block(program: Program, call: Call, frame: Frame) -> Spot | None:
    """The innermost ``with`` around a call, if that is the one that opens the autocast, and opens nothing else."""
    managers = program.ask_of(surroundings, frame.function).of(call).managers
    opening = [manager for manager in managers if program.ask(Autocasts).opened(manager, frame)]
    if len(opening) != 1 or managers[-1] is not opening[0]:
        return None
    return next((node.spot for node in of_kind(frame.function, With) if node.items == (opening[0],)), None)
