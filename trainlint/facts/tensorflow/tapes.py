"""Gradients that a program computes by hand: what a tape differentiates, and whether an optimizer gets the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, FunctionValue, Made
from trainlint.ir.nodes import Attr, Comprehension, LoopPhi, Term
from trainlint.ir.sketch import CallStep, Function, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

_GRADIENT, _TARGET, _SOURCES = "gradient", "target", "sources"
_DEEPEST = 4


class Gradient(NamedTuple):
    """``tape.gradient(loss, variables)``: where it is, of what, and the ``with`` in which the tape watches, if that is here."""

    module: str
    function: Function
    node: CallStep
    loss: Term
    sources: Term | None
    watched: With | None


def gradients(program: Program) -> list[Gradient]:
    """All calls by which tapes differentiate (looked for once)."""
    return list(_gradients(program))


def _gradients(program: Program) -> Iterator[Gradient]:
    for site in program.ask(CallGraph).sites.get(_GRADIENT, ()):
        call = site.call.term
        if not isinstance(call.callee, Attr):
            continue
        frame = program.frame(site.module, site.function)
        opened = list(tapes_of(program, call.callee.base, frame))
        named = dict(call.kwargs)
        loss = call.args[0] if call.args else named.get(_TARGET)
        sources = call.args[1] if len(call.args) > 1 else named.get(_SOURCES)
        if opened and loss is not None:
            held = [each for each in of_kind(site.function, With) if any(item in opened for item in each.items)]
            yield Gradient(site.module, site.function, site.call, loss, sources, held[0] if held else None)


def tapes_of(program: Program, term: Term, frame: Frame, depth: int = 0) -> Iterator[Term]:
    """The calls that made the tape which a term stands for, through what wraps it for several processes."""
    table = program.knowledge.tables["tensorflow"]
    for value in program.values(term, frame):
        if not isinstance(value, Made) or value.call is None or value.frame is None:
            continue
        if value.name in table["makes_tape"]:
            yield value.call
        elif value.name.rpartition(".")[2] in table["wraps_tape"] and value.call.args and depth < _DEEPEST:
            yield from tapes_of(program, value.call.args[0], value.frame, depth + 1)


def applied(program: Program, gradient: Gradient) -> list[CallStep]:
    """The calls that hand what a tape computed to an optimizer: here, or in the functions that get it returned."""
    here = _appliers(program, gradient.function)
    only = sum(each.function is gradient.function for each in program.ask(gradients)) == 1
    found = [node for node in here if only or _is_in(node, gradient.node.term, gradient.function)]
    if found or here:
        return found
    handed = [node for node in calls_of(gradient.function) if _is_in(node, gradient.node.term, gradient.function)]
    frame = program.frame(gradient.module, gradient.function)
    for node in handed:
        for target in program.ask(CallGraph).targets(node.term, frame):
            if isinstance(target, FunctionValue):
                found += _appliers(program, target.function)
    if found:
        return found
    returned = any(_holds(term, gradient.node.term, gradient.function) for term in program.returns(gradient.function))
    if not returned:
        return []
    return [node for site in program.ask(CallGraph).callers(gradient.function) for node in _appliers(program, site.function)]


def _appliers(program: Program, function: Function) -> list[CallStep]:
    names = program.knowledge.tables["tensorflow"]["applies"]
    nodes = [node for node in calls_of(function) if isinstance(node.term.callee, Attr) and node.term.callee.name in names]
    return [node for node in nodes if node.term.args or node.term.kwargs]


def _is_in(node: CallStep, made: Term, function: Function) -> bool:
    return any(_holds(each, made, function) for each in (*node.term.args, *(value for _, value in node.term.kwargs)))


def _holds(term: Term, made: Term, function: Function, depth: int = 0) -> bool:
    """Whether something is computed from what a call made, comprehensions among it."""
    for part in parts_of(term):
        if part is made:
            return True
        if isinstance(part, Comprehension) and depth < _DEEPEST and _holds(part.of, made, function, depth + 1):
            return True
        carried = function.carried.get(part) if isinstance(part, LoopPhi) else None
        if carried is not None and depth < _DEEPEST and any(_holds(each, made, function, depth + 1) for each in carried):
            return True
    return False


__all__ = ["Gradient", "applied", "gradients", "tapes_of"]
