"""Gradients that are fetched from an XLA device one by one in every step: the host waits once for each parameter.

It happens where gradients are clipped, far from the loop: a trainer calls its optimizer's ``clip_grad_norm``, which calls a
function in another file. So the way is followed from there to a function that ends steps on XLA, over methods by their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.loaders.options import led_to
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.xla.hosts import to_host
from trainlint.facts.xla.running import Xla
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import Attr, Call, Element, Global, Param, Select, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Function, Loop
from trainlint.ir.terms import parts_of

_GRADIENT = "grad"
_HIGHEST = 4


class Gradients(NamedTuple):
    """The call that fetches something of a gradient, in a loop over all of them, and the call that ends the step it runs in."""

    module: str
    site: CallSite
    step: CallSite


def fetched_one_by_one(program: Program) -> Iterator[Gradients]:
    """The first such call of each function that a step on XLA runs."""
    asked = program.ask(Xla)
    if not asked.projects():
        return
    methods = {name for name, word in program.knowledge.tables["xla.reads"].items() if word == "method"}
    names = methods | frozenset(program.knowledge.tables["xla.hosts"]["names"]) | program.knowledge.fluent
    seen: set[int] = set()
    for site in (site for name in sorted(names) for site in program.ask(CallGraph).sites.get(name, ())):
        function = site.function
        if id(function) in seen or program.component(site.module) not in asked.projects():
            continue
        if (
            not isinstance(site.call.term.callee, Attr)
            or not _is_of_each(function, site)
            or not _waits(program, asked, site, methods)
        ):
            continue
        if tests_software(program, site.module, function) or not _always(program, asked, site):
            continue
        step = _step(program, asked, site.module, function)
        if step is not None:
            seen.add(id(function))
            yield Gradients(site.module, site, step)


def _is_of_each(function: Function, site: CallSite) -> bool:
    """Whether a call is made on something of a gradient, in a loop over gradients or over what has them."""
    around = [loop for loop in loops_around(function, site.call) if loop.kind != "while"]
    callee = site.call.term.callee
    return isinstance(callee, Attr) and any(_mentions(callee.base, loop, function) for loop in around)


def _mentions(term: Term, loop: Loop, function: Function) -> bool:
    """Whether a term is made of a gradient that a loop hands out: ``p.grad``, or an item of ``[p.grad for p in …]``."""
    for part in parts_of(term):
        drawn = function.drawn.get(part.of) if isinstance(part, Element) and part.of is loop.subject else None
        if drawn is not None and any(isinstance(each, Attr) and each.name == _GRADIENT for each in parts_of(drawn.item)):
            return True
        if isinstance(part, Attr) and part.name == _GRADIENT and isinstance(part.base, Element) and part.base.of is loop.subject:
            return True
    return False


def _waits(program: Program, asked: Xla, site: CallSite, methods: set[str]) -> bool:
    """Whether a call fetches what it is made on; where a test for XLA chooses where things go, they stay there."""
    call = site.call.term
    if last_name(call.callee) in methods:
        return not call.args
    frame = program.frame(site.module, site.function)
    for given in call.args:
        ways = list(_ways(given))
        if len(ways) > 1 and any(asked.asks(test, frame) for test, _ in ways if test is not None):
            return False
        if any(to_host(program, Call.new(call.callee, (way,), (), call.site)) for _, way in ways):
            return True
    return not call.args and to_host(program, call)


def _ways(given: Term) -> Iterator[tuple[Term | None, Term]]:
    """What a term may be, each with the test that decides."""
    if isinstance(given, Select):
        for part in given.subterms()[1:]:
            yield from ((given.test if test is None else test, way) for test, way in _ways(part))
            yield given.test, part
    else:
        yield None, given


def _always(program: Program, asked: Xla, site: CallSite) -> bool:
    """Whether a call is made in every step on XLA, for all that the tests say which lead to it."""
    seldom: list[str] = program.knowledge.tables["xla.seldom"]["names"]
    frame = program.frame(site.module, site.function)
    for test, _ in conditions(led_to(site.function, site.call.term)):
        named = (part for part in parts_of(test) if isinstance(part, (Attr, Param, Global)))
        names = {part.name.lower() for part in named}
        if asked.not_in_each_step(test, frame) or any(word in name for word in seldom for name in names):
            return False
    return True


def _step(program: Program, asked: Xla, module: str, function: Function) -> CallSite | None:
    """The call that ends a step on XLA, in a function from which calls lead here."""
    component = program.component(module)
    pending, seen = [function], {id(function)}
    for _ in range(_HIGHEST):
        above: list[Function] = []
        for site in (site for each in pending for site in _callers(program, each)):
            if program.component(site.module) != component or tests_software(program, site.module, site.function):
                continue
            ended = _ending(program, asked, site)
            if ended is not None:
                return ended
            if id(site.function) not in seen and site.function.kind != "module":
                seen.add(id(site.function))
                above.append(site.function)
        pending = above
    return None


def _callers(program: Program, function: Function) -> list[CallSite]:
    """The calls of a function; of a method with a name of its own also those on what nobody knows."""
    index, common = program.ask(CallGraph), program.knowledge.common_methods
    named = [] if function.kind != "method" or function.name in common else index.sites.get(function.name, ())
    found = index.callers(function)
    return [*found, *(site for site in named if site not in found)]


def _ending(program: Program, asked: Xla, site: CallSite) -> CallSite | None:
    """The call in the same function that ends a step on XLA; None where what is asked about is not run in each of them."""
    frame = program.frame(site.module, site.function)
    if any(asked.not_in_each_step(test, frame) for test, _ in conditions(led_to(site.function, site.call.term))):
        return None
    for node in calls_of(site.function):
        if any(asked.role(value) == "step" for value in program.values(node.term.callee, frame)):
            return CallSite(site.module, site.function, node)
    return None


__all__ = ["Gradients", "fetched_one_by_one"]
