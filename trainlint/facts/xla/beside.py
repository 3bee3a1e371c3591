"""Loops that run the same models as another one beside them, which ends each of its rounds on XLA, and do not end theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import ClassValue
from trainlint.facts.xla.running import Xla
from trainlint.finding import Spot
from trainlint.ir.names import chain_of, root_of
from trainlint.ir.nodes import Self, Term
from trainlint.ir.order import loops_around, within
from trainlint.ir.sketch import CallStep, Class, Function, Loop
from trainlint.ir.walk import of_kind, walk

_SHARED = 2


class Beside(NamedTuple):
    """The call of a model in a loop whose rounds nobody ends, that loop, and the call that ends the rounds of the other one."""

    module: str
    call: CallStep
    loop: Spot
    marked: Spot


def unmarked_beside(program: Program) -> Iterator[Beside]:
    """Each such loop: it runs parts of its object, two of them at least, that the other one runs in its rounds as well."""
    marks = frozenset(program.knowledge.tables["xla.marks"]["names"])
    seen: set[tuple[str, Spot]] = set()
    for site in (site for name in sorted(marks) for site in program.ask(CallGraph).sites.get(name, ())):
        around = loops_around(site.function, site.call)
        if not around or not _ends(program, site) or tests_software(program, site.module, site.function):
            continue
        run = _parts_run(program, site.module, site.function, around[-1])
        if len(run) < _SHARED:
            continue
        for function, loop in _others(program, site, around[-1]):
            own = _parts_run(program, site.module, function, loop)
            shared = [name for name in own if name in run]
            models = [name for name in shared if "." not in name]
            key = (site.module, loop.spot)
            if len(shared) < _SHARED or not models or key in seen:
                continue
            if not program.ask(Loops).says(site.module, function, loop.body, marks):
                seen.add(key)
                yield Beside(site.module, own[models[0]], loop.spot, site.call.term.site)


def _ends(program: Program, site: CallSite) -> bool:
    """Whether a call ends a step of XLA."""
    frame = program.frame(site.module, site.function)
    return any(program.ask(Xla).role(value) == "step" for value in program.values(site.call.term.callee, frame))


def _others(program: Program, site: CallSite, marked: Loop) -> Iterator[tuple[Function, Loop]]:
    """The outermost other loops of the functions of the same class."""
    cls = _class_of(program, site.module, site.function)
    for function in program.modules[site.module].functions.values() if cls is not None else ():
        if _class_of(program, site.module, function) is not cls:
            continue
        found: list[Loop] = []
        for loop in of_kind(function, Loop):
            nested = function is site.function and (within(function, loop, marked) or within(function, marked, loop))
            apart = loop is not marked and not nested
            if loop.kind == "for" and loop.names and apart and not any(within(function, each, loop) for each in found):
                found.append(loop)
                yield function, loop


def _parts_run(program: Program, module: str, function: Function, loop: Loop) -> dict[str, CallStep]:
    """What a loop runs of its object: ``unet`` for ``self.unet(x)``, ``scheduler.step`` for ``self.scheduler.step(x)``."""
    found: dict[str, CallStep] = {}
    cls = _class_of(program, module, function)
    for node in walk(loop.body):
        if isinstance(node, CallStep) and cls is not None:
            name = _part(node.term.callee)
            if name is not None and program.method(ClassValue(module, cls), name.partition(".")[0]) is None:
                found.setdefault(name, node)
    return found


def _class_of(program: Program, module: str, function: Function) -> Class | None:
    """The class around a function, also around one that is defined in a method."""
    sketch = program.modules[module]
    around: Function | None = function
    while around is not None and around.cls is None:
        around = sketch.functions.get(around.outer or "")
    return sketch.classes.get(around.cls or "") if around is not None else None


def _part(callee: Term) -> str | None:
    return ".".join(chain_of(callee)) or None if isinstance(root_of(callee), Self) else None


__all__ = ["Beside", "unmarked_beside"]
