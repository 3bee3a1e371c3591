"""Loaders of XLA that are made for runs on several cores alone, where nothing ends the steps of a run on one.

Such a loader ends a step for each batch, so that ``xm.optimizer_step(optimizer)`` has no need to. On one core people leave the
loader out; then the optimizer's step has to be told (``barrier=True``), or the step is to be marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.loaders.options import led_to
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.xla.running import Xla
from trainlint.facts.xla.stepped import Stepping
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import NAMED, And, Attr, Compare, Const, Global, Ref, Term
from trainlint.ir.printer import code_in, show
from trainlint.ir.terms import parts_of


class Narrower(NamedTuple):
    """The call that makes the loader, what it asks of the cores, and a step of an optimizer that is made without that as well."""

    site: CallSite
    test: str
    step: CallSite


def narrower(program: Program) -> Iterator[Narrower]:
    """Each such loader."""
    asked = program.ask(Xla)
    for component in sorted(asked.projects()):
        loaders = [site for site in _called(program, asked, "loader") if program.component(site.module) == component]
        if not loaders:
            continue
        rests = [_rest(program, asked, site) for site in loaders]
        steps = [site for site in _steps(program, asked) if program.component(site.module) == component]
        said = {None if rest is None else show(rest) for rest in rests}
        steps = [site for site in steps if said.isdisjoint(show(test) for test in _led(site))]
        if None in said or len(said) != 1 or not steps or _ends(program, component, steps):
            continue
        for site, rest in zip(loaders, rests, strict=True):
            if rest is not None and not tests_software(program, site.module, site.function):
                yield Narrower(site, code_in(rest, site.function) or show(rest), steps[0])


def _called(program: Program, asked: Xla, role: str) -> Iterator[CallSite]:
    """The calls of what torch_xla has for this, in order."""
    names = {name.rpartition(".")[2] for name, word in program.knowledge.xla.items() if word == role}
    for site in (site for name in sorted(names) for site in program.ask(CallGraph).sites.get(name, ())):
        callee = site.call.term.callee
        if isinstance(callee, Ref) or (isinstance(callee, Attr) and isinstance(callee.base, (Ref, Global))):
            frame = program.frame(site.module, site.function)
            if any(asked.role(value) == role for value in program.values(callee, frame)):
                yield site


def _steps(program: Program, asked: Xla) -> Iterator[CallSite]:
    names = program.knowledge.tables["xla.steps"]["names"]
    for site in _called(program, asked, "step"):
        callee = site.call.term.callee
        if isinstance(callee, (Ref, Attr)) and callee.name.rpartition(".")[2] in names:
            yield site


def _rest(program: Program, asked: Xla, site: CallSite) -> Term | None:
    """What is asked for where a loader is made, beside XLA, if that is how many cores there are; None for any other test."""
    frame = program.frame(site.module, site.function)
    others = [part for part in _led(site) if not asked.asks(part, frame)]
    return others[0] if len(others) == 1 and _counts_cores(program, others[0]) else None


def _led(site: CallSite) -> list[Term]:
    """What holds where a call runs, as far as it is one test or several joined by ``and``."""
    tests = conditions(led_to(site.function, site.call.term))
    return [part for test, arm in tests if arm for part in _conjuncts(test)]


def _conjuncts(test: Term) -> tuple[Term, ...]:
    return tuple(part for each in test.operands for part in _conjuncts(each)) if isinstance(test, And) else (test,)


def _counts_cores(program: Program, test: Term) -> bool:
    """Whether a test compares the number of cores, or the number of the one that is chosen, with something written down."""
    if not isinstance(test, Compare) or not any(isinstance(side, Const) for side in test.sides):
        return False
    words = frozenset(program.knowledge.tables["xla.counts"]["names"])
    named = (part for part in parts_of(test) if isinstance(part, NAMED))
    names = (part.name.rpartition(".")[2] for part in named)
    return any(not words.isdisjoint(name.lower().split("_")) for name in names)


def _ends(program: Program, component: str, steps: list[CallSite]) -> bool:
    """Whether something else may end a step somewhere."""
    asked, tables = program.ask(Stepping), program.knowledge.tables
    if any(asked.has_barrier(site.call.term) for site in steps):
        return True
    made = {name.rpartition(".")[2] for name, word in program.knowledge.xla.items() if word == "loader"}
    names = (frozenset(tables["xla.marks"]["names"]) | frozenset(tables["xla.traced"]["names"])) - made
    files = {path for path in asked.xla.naming() if program.component(path) == component}
    return asked.names(files, names)


__all__ = ["Narrower", "narrower"]
