"""What somebody asked for: a call that runs under a test, or in a function that is there for that and is called under one."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.loops import Loops, loops_of
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Library
from trainlint.ir.control_dependence import Failed, walk_tested
from trainlint.ir.nodes import Term
from trainlint.ir.order import within
from trainlint.ir.sketch import If
from trainlint.ir.walk import walk

#: Callers up that are asked whether they test something first.
_DEEPEST = 3


def asked_for(program: Program, site: CallSite, depth: int = _DEEPEST, *, trains: bool = False, alone: str = "") -> bool:
    """Whether a test leads to a call, or to all calls of its function.

    ``alone``: the name of what is asked about, if the test must decide about that, and not about a training as a whole. An arm
    that lets an optimizer step, where the other one does not, is a part of the program (``if warmup:``), and nobody asked for
    what is done in there; nor where both arms step and do it.

    A function that trains nothing (``trains``: the call itself makes what trains) is there for what it does: a way out
    before the call is such a test, and where nobody in sight calls it, somebody else asks for it.
    """
    led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
    if any(_holds(program, site, test, alone=alone) for test, _ in led):
        return True
    switch = not trains and site.function.kind != "module" and not _trains(program, site)
    if switch and led:
        return True
    sites = [each for each in program.ask(CallGraph).callers(site.function) if each.function is not site.function]
    if not sites:
        return switch and not _is_called_by_a_library(program, site)
    return depth > 0 and all(asked_for(program, each, depth - 1, trains=trains, alone=alone) for each in sites)


def _trains(program: Program, site: CallSite) -> bool:
    """Whether a function lets an optimizer step, or computes gradients again and again."""
    asked, path, function = program.ask(Loops), site.module, site.function
    if asked.function_says(path, function, program.knowledge.steps):
        return True
    return any(asked.says(path, function, loop.body, program.knowledge.training) for loop, _ in loops_of(function))


def _is_called_by_a_library(program: Program, site: CallSite) -> bool:
    """Whether a function is a method of a class that is derived from one of a library, which may call it."""
    cls = program.modules[site.module].classes.get(site.function.cls or "")
    above = program.lineage(ClassValue(site.module, cls)) if cls is not None else ()
    return any(isinstance(each, Library) and each.name not in program.knowledge.plain_bases for each in above)


def _holds(program: Program, site: CallSite, test: Term | Failed, *, alone: str) -> bool:
    """Whether a call stands in an arm of a test, or in a handler, not only behind a way out; ``alone`` as above."""
    if isinstance(test, Failed):
        return True
    around = (node for node in walk(site.function.body) if isinstance(node, If) and node.condition is test)
    return any(
        within(site.function, node, site.call.term) and not (alone and _is_a_part(program, site, node, alone)) for node in around
    )


def _is_a_part(program: Program, site: CallSite, node: If, name: str) -> bool:
    """Whether one arm of a test lets an optimizer step, and the other one does not; or both do, and what is called so, too."""
    arms = (node.body, node.orelse)
    steps, turns = (
        [program.ask(Loops).says(site.module, site.function, arm, names) for arm in arms]
        for names in (program.knowledge.steps, frozenset((name,)))
    )
    return steps[0] != steps[1] or (all(steps) and all(turns))
