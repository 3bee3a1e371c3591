"""Functions that drop in training by themselves, called by a module that does not tell them whether it trains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.layers import of_module
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import ClassValue, Library
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Param, Self, Term
from trainlint.ir.terms import parts_of


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
    index, knowledge = program.ask(CallGraph), program.knowledge
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
                or tests_software(program, site.module, site.function)
                or _is_chosen(program, site)
            ):
                continue
            yield Dropping(site, keyword, position, site.function.parameters[0])


def _is_told(program: Program, call: Call, keyword: str, position: int | None) -> bool:
    """Whether the call says whether it is training, may say so, or drops nothing."""
    if any(name == keyword or name is None for name, _ in call.kwargs) or (position is not None and len(call.args) > position):
        return True
    return any((isinstance(rate, Const) and not rate.value) or _asks_mode(program, rate) for rate in _rates(call))


def _rates(call: Call) -> list[Term]:
    return [*call.args[1:2], *(value for name, value in call.kwargs if name == "p")]


def _is_chosen(program: Program, site: CallSite) -> bool:
    """Whether a test leads there that may come out otherwise in another call of the module: one of the mode, of what it is given.

    What is fixed when the module is made, and how much is dropped, are no such tests.
    """
    led = next((tests for node, tests in walk_tested(site.function.body) if node is site.call), ())
    tests = [test for test, _ in conditions(led)]
    return any(_asks_mode(program, test) or _varies(program, site, test) for test in tests)


def _asks_mode(program: Program, test: Term) -> bool:
    return any(isinstance(part, Attr) and part.name in program.knowledge.phases for part in parts_of(test))


def _varies(program: Program, site: CallSite, test: Term) -> bool:
    """Whether what a test asks is given to the method, or is changed by one that does not make the object."""
    rates = set(parts_of(*_rates(site.call.term)))
    for part in parts_of(test):
        if part in rates:
            continue
        if isinstance(part, Param) and part.function == site.function.qualname and site.function.name != "__init__":
            return True
        if isinstance(part, Attr) and isinstance(part.base, Self):
            cls = program.modules[site.module].classes[site.function.cls or ""]
            stored = program.stores(ClassValue(site.module, cls), part.name)
            if any(function.name != "__init__" for _, function, _ in stored):
                return True
    return False
