"""Anomaly detection that is on whatever happens: no test, no setting and no name says that somebody is looking for a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import CallSite, calls
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Library
from trainlint.finding import Spot
from trainlint.model.sketch import Block, Call, If
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import Failed, walk_tested
from trainlint.model.walk import walk

#: Callers up that are asked whether they test something first.
_DEEPEST = 3


class Detection(NamedTuple):
    """A call that turns anomaly detection on; ``keyword`` and ``position`` say by which argument (None: by nothing else)."""

    site: CallSite
    keyword: str | None
    position: int | None


def left_on(program: Program) -> Iterator[Detection]:
    """Each such call that runs in every run of the program, as far as tests can be seen."""
    index, knowledge = calls(program), program.knowledge
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
                if not _is_asked_for(program, site, _DEEPEST):
                    yield Detection(site, keyword, position)
                break


def _is_on(call: Term, keyword: str | None, position: int | None) -> bool:
    """Whether the call says so for certain."""
    if keyword is None:
        return True
    given = next((value for name, value in call[3] if name == keyword), None)
    if given is None and position is not None and position < len(call[2]):
        given = call[2][position]
    return given is not None and given[0] == "c" and given[2] is True


def _holds(block: Block, test: Term | Failed, call: Call) -> bool:
    """Whether a call stands in an arm of a test (or in a handler), not only behind a way out."""
    if isinstance(test, Failed):
        return True
    return any(isinstance(node, If) and node.condition is test and node.spot.holds(Spot(*call.term[4])) for node in walk(block))


def _speaks(test: Term | Failed, words: frozenset[str]) -> bool:
    """Whether a test has a name that speaks of the search for mistakes."""
    if isinstance(test, Failed):
        return True
    names = (part[-1] for part in parts_of(test) if part[0] in ("p", "a", "g", "r"))
    return any(word in str(name).lower() for name in names for word in words)


def _is_asked_for(program: Program, site: CallSite, depth: int) -> bool:
    """Whether a test leads to a call, or to all calls of its function, or a name says that it looks for mistakes."""
    words = program.knowledge.debug_words
    if any(word in site.function.qualname.lower() for word in words):
        return True
    led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
    if any(_holds(site.function.body, test, site.call) or _speaks(test, words) for test, _ in led):
        return True
    sites = [each for each in calls(program).callers(site.function) if each.function is not site.function]
    return bool(sites) and depth > 0 and all(_is_asked_for(program, each, depth - 1) for each in sites)
