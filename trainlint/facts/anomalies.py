"""Anomaly detection that is on whatever happens: no test, no setting and no name says that somebody is looking for a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.opt_in import asked_for
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Library
from trainlint.ir.nodes import Call, Const


class Detection(NamedTuple):
    """A call that turns anomaly detection on; ``keyword`` and ``position`` say by which argument (None: by nothing else).

    ``sure``: no test leads there at all, not even one that decides about the whole training.
    """

    site: CallSite
    keyword: str | None
    position: int | None
    sure: bool = True


def left_on(program: Program) -> Iterator[Detection]:
    """Each such call that runs in every run of the program, as far as tests can be seen."""
    index, knowledge = program.ask(CallGraph), program.knowledge
    for name in sorted({dotted.rpartition(".")[2] for dotted in knowledge.anomaly}):
        for site in index.sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            for target in index.targets(site.call.term, frame):
                word = knowledge.anomaly.get(target.name) if isinstance(target, Library) else None
                if word is None or not isinstance(target, Library):
                    continue
                keyword = word if word != "always" else None
                parameters = knowledge.signatures.get(target.name, [])
                position = parameters.index(word) if word in parameters else None
                if not _is_on(site.call.term, keyword, position) or tests_software(program, site.module, site.function):
                    continue
                trains = knowledge.kinds.get(target.name) == "trainer"
                if not asked_for(program, site, trains=trains, alone=name):
                    yield Detection(site, keyword, position, sure=not asked_for(program, site, trains=trains))
                break


def _is_on(call: Call, keyword: str | None, position: int | None) -> bool:
    """Whether the call says so for certain."""
    if keyword is None:
        return True
    given = next((value for name, value in call.kwargs if name == keyword), None)
    if given is None and position is not None and position < len(call.args):
        given = call.args[position]
    return given is not None and isinstance(given, Const) and given.value is True
