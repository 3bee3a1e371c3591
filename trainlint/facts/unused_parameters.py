"""Where DDP is made to look for parameters without gradients, in every step, though the model is seen to have none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.all_parameters_used import Whole
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.modes.identity import Identities
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Instance, Library
from trainlint.ir.nodes import Call, Const

_MOST_FRAMES = 3


class Search(NamedTuple):
    """A call that asks for it, by which argument, and the model that has no such parameters."""

    site: CallSite
    keyword: str
    model: Instance


def searches(program: Program) -> Iterator[Search]:
    """The calls that ask for the search whatever happens, for models all of whose parts are seen to run in each step."""
    table = program.knowledge.tables["unused_search"]
    for word in sorted({name.rpartition(".")[2] for name in table}):
        for site in program.ask(CallGraph).sites_named(word):
            frame = program.frame(site.module, site.function)
            names = [value.name for value in program.values(site.call.term.callee, frame) if isinstance(value, Library)]
            keyword = table.get(names[0]) if len(names) == 1 else None
            if keyword is None or not _asks(site.call.term, keyword) or tests_software(program, site.module, site.function):
                continue
            model = _model(program, site)
            if model is not None:
                yield Search(site, keyword, model)


def _asks(call: Call, keyword: str) -> bool:
    given = next((value for name, value in call.kwargs if name == keyword), None)
    return given is not None and isinstance(given, Const) and given.value is True


def _model(program: Program, site: CallSite) -> Instance | None:
    """The model that is wrapped, if it is in sight in each activation, and whole; None where DDP is told that nothing changes."""
    call = site.call.term
    if any(name in (None, "static_graph") for name, _ in call.kwargs):
        return None
    given = call.args[0] if call.args else next((value for name, value in call.kwargs if name == "module"), None)
    found: list[Instance] = []
    for frame in activations(program, site.module, site.function)[:_MOST_FRAMES] if given is not None else ():
        assert given is not None
        keys = program.ask(Identities).of(given, frame)
        makers = [program.ask(Identities).makers.get(key) for key in keys]
        if not makers or not all(isinstance(maker, Instance) and program.ask(Whole).is_whole(maker) for maker in makers):
            return None
        found += [maker for maker in makers if isinstance(maker, Instance)]
    return found[0] if found else None
