"""Clips that know only a part of the gradients: torch's ``clip_grad_norm_`` on a model that FSDP1 has cut up.

Run in torch 2.13 on two ranks: the function computes the norm of this rank's pieces (9.69 where the whole is 15.86), so that each
rank scales by a number of its own. FSDP1 has a method that asks all ranks. With ``fully_shard`` the function is right: the
parameters are DTensors, which know of their other parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.loaders.options import Options
from trainlint.facts.order import At, path, sooner
from trainlint.facts.parallel import Parallel
from trainlint.facts.program import Program
from trainlint.facts.sharding.models import Models, covers, same
from trainlint.facts.sharding.shardings import Sharding, Shardings, agree, tests_around
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.taken import Takers
from trainlint.facts.values import Frame, Library
from trainlint.ir.nodes import Attr, Call, Const, Term
from trainlint.ir.terms import parts_of

_WRAPPER = "fsdp"
_STRATEGY, _WHOLE = "sharding_strategy", "NO_SHARD"
_MOST_FRAMES = 4
#: What the method takes besides the model itself.
_TAKES = frozenset(("max_norm", "norm_type"))


class Clip(NamedTuple):
    """A clip of a part; ``method`` is the wrapper's own, where it can be called in the place of the function."""

    site: CallSite
    sharding: Sharding
    method: str | None


def clips(program: Program) -> Iterator[Clip]:
    """The clips by the norm of one rank's pieces, one for each call."""
    methods = program.knowledge.tables["parallel.clips"]
    sharded = [
        each for each in program.ask(Shardings).all() if each.name in methods and each.keys and not keeps_whole(program, each)
    ]
    functions = program.knowledge.tables["parallel.plain_clips"]["names"] if sharded else ()
    for name in sorted({name.rpartition(".")[2] for name in functions}):
        for site in program.ask(CallGraph).sites_named(name):
            alone = program.frame(site.module, site.function)
            found = [value.name for value in program.values(site.call.term.callee, alone) if isinstance(value, Library)]
            if len(found) != 1 or found[0] not in functions or tests_software(program, site.module, site.function):
                continue
            for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
                clip = _at(program, site, frame, sharded)
                if clip is not None:
                    yield clip
                    break


def keeps_whole(program: Program, sharding: Sharding, *, ever: bool = False) -> bool:
    """Whether a wrapper is told to leave the parameters whole on each rank, in all runs or ``ever``."""
    given = program.ask(Options).given(sharding.site.call.term, sharding.frame, _STRATEGY, sharding.name)
    values = (*given.values, *given.sometimes)
    whole = [isinstance(value, Library) and value.name.endswith(_WHOLE) for value in values]
    return any(whole) if ever else bool(whole) and all(whole)


def _at(program: Program, site: CallSite, frame: Frame, sharded: list[Sharding]) -> Clip | None:
    call = site.call.term
    place = At(frame, call.site)
    method = {name.rpartition(".")[2] for name in program.knowledge.tables["parallel.clips"].values()}
    for base, where in program.ask(Takers).given(site.call, frame) if call.args else ():
        keys = program.ask(Models).meant(base, where)
        sharding = next((each for each in sharded if covers(keys, each.keys) and sooner(each.at, place) is True), None)
        if sharding is None or not agree(program, sharding.at, place) or program.ask(Parallel).is_another(base, call, frame):
            continue
        if _asks_for(place, method):
            continue
        own = program.knowledge.tables["parallel.clips"][sharding.name]
        direct = where is frame and any(same(key, each) for key in keys for each in sharding.keys)
        return Clip(site, sharding, own if direct and _can_call(program, base, call, frame) else None)
    return None


def _asks_for(place: At, methods: set[str]) -> bool:
    """Whether a test around it asks for the method: who does so means a model without it here."""
    tests = (test for here in path(place) for test, _ in tests_around(here))
    return any(isinstance(part, Const) and part.value in methods for test in tests for part in parts_of(test))


def _can_call(program: Program, base: Term, call: Call, frame: Frame) -> bool:
    """Whether the model that is written there is the wrapper in every run, and the method takes what is given."""
    if isinstance(base, Attr) and base.name in program.knowledge.unwraps:
        return False
    if program.ask(Parallel).kinds(base, frame) != {_WRAPPER} or program.ask(Parallel).sharded_when(base, frame) != ():
        return False
    return len(call.args) <= 1 + len(_TAKES) and all(name in _TAKES for name, _ in call.kwargs)
