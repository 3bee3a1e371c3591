"""Batch norms that are converted to synchronised ones after the model was wrapped for DDP: documented is the other order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.files.operations import argument
from trainlint.facts.order import At, sooner
from trainlint.facts.program import Program
from trainlint.facts.sharding.models import Models, same
from trainlint.facts.sharding.shardings import Sharding, agree, replicas
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Library
from trainlint.ir.printer import lasting

_MOST_FRAMES = 4


class Converted(NamedTuple):
    """A conversion that comes late, the call that wrapped the model, and what the function calls it, where both stand in one."""

    site: CallSite
    wrapped: Sharding
    name: str | None


def converted(program: Program) -> Iterator[Converted]:
    """The conversions of models that are wrapped by then, one for each call."""
    names = program.knowledge.tables["parallel.converts"]["names"]
    for name in sorted({each.rpartition(".")[2] for each in names}):
        for site in program.ask(CallGraph).sites_named(name):
            alone = program.frame(site.module, site.function)
            made = [value.name for value in program.values(site.call.term.callee, alone) if isinstance(value, Library)]
            if len(made) != 1 or made[0] not in names or tests_software(program, site.module, site.function):
                continue
            for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
                wrapped = _wrapped(program, site, frame)
                if wrapped is not None:
                    together = wrapped.site.function is site.function
                    yield Converted(site, wrapped, lasting(site.call.term, site.function) if together else None)
                    break


def _wrapped(program: Program, site: CallSite, frame: Frame) -> Sharding | None:
    """The call that wrapped the model before."""
    model, place = argument(site.call.term, "0", "module"), At(frame, site.call.term.site)
    keys = program.ask(Models).meant(model, frame) if model is not None else ()
    earlier = (each for each in program.ask(replicas).all() if keys and sooner(each.at, place) is True)
    of_model = (each for each in earlier if any(same(key, other) for key in keys for other in each.keys))
    return next((each for each in of_model if agree(program, each.at, place)), None)
