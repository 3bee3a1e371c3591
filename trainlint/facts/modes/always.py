"""Functions that drop in training by themselves, called by a module that does not tell them whether it trains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import CallSite, calls
from trainlint.facts.layers import of_module
from trainlint.facts.modes.rounds import words_of
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Library
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import conditions, walk_tested


class Dropping(NamedTuple):
    """A call that drops whatever the mode.

    ``keyword`` and ``position`` are those of what it is not told, ``own`` is what the module calls itself there.
    """

    site: CallSite
    keyword: str
    position: int | None
    own: str


def always_dropping(program: Program) -> Iterator[Dropping]:
    """Each such call in a method of a module, with a rate that is not zero."""
    index, knowledge = calls(program), program.knowledge
    for name in sorted({dotted.rpartition(".")[2] for dotted in knowledge.drops}):
        for site in index.sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            target = next((each for each in index.targets(site.call.term, frame) if isinstance(each, Library)), None)
            keyword = knowledge.drops.get(target.name) if target is not None else None
            if target is None or keyword is None or site.function.kind != "method" or not site.function.parameters:
                continue
            parameters = knowledge.signatures.get(target.name, [])
            position = parameters.index(keyword) if keyword in parameters else None
            if (
                _is_told(program, site.call.term, keyword, position)
                or not of_module(program, site.module, site.function)
                or _is_meant(program, site)
            ):
                continue
            yield Dropping(site, keyword, position, site.function.parameters[0])


def _is_told(program: Program, call: Term, keyword: str, position: int | None) -> bool:
    """Whether the call says whether it is training, may say so, or drops nothing."""
    if any(name == keyword or name is None for name, _ in call[3]) or (position is not None and len(call[2]) > position):
        return True
    rates = [*call[2][1:2], *(value for name, value in call[3] if name == "p")]
    return any((rate[0] == "c" and not rate[2]) or _asks_mode(program, rate) for rate in rates)


def _is_meant(program: Program, site: CallSite) -> bool:
    """Whether a test of the mode leads there, or names say that it is to drop always."""
    cls = (site.function.cls or "").rpartition(".")[2]
    names = [*words_of(cls), *words_of(site.function.name), cls.lower()]
    if tests_software(program, site.module, site.function) or not program.knowledge.always_drops.isdisjoint(names):
        return True
    led = next((tests for node, tests in walk_tested(site.function.body) if node is site.call), ())
    return any(_asks_mode(program, test) for test, _ in conditions(led))


def _asks_mode(program: Program, test: Term) -> bool:
    words = program.knowledge.phases | {"train", "training", "eval"}
    return any(part[0] in ("a", "p") and not words.isdisjoint((str(part[2]), *words_of(str(part[2])))) for part in parts_of(test))
