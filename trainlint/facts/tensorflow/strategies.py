"""Which strategies a program trains under, and where a training is under one of TPUs."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Made
from trainlint.ir.nodes import Attr, Term
from trainlint.ir.sketch import Function

_SCOPE = "scope"


def on_tpus(program: Program, term: Term, frame: Frame) -> Made | None:
    """The call that makes a strategy of TPUs, if a value may be one."""
    known = program.knowledge.tables["strategies"]
    for value in program.values(term, frame):
        if isinstance(value, Made) and known.get(value.name) == "tpu" and value.call is not None:
            return value
    return None


def trained_on_tpus(program: Program, frame: Frame) -> Made | None:
    """The strategy of TPUs in whose scope the model of a training is made, as far as one function leads to both."""
    leading = list(_leading(frame))
    for site in program.ask(CallGraph).sites.get(_SCOPE, ()):
        if isinstance(site.call.term.callee, Attr) and (_is_of(site, leading) or _is_called(program, site, leading)):
            for inner in activations(program, site.module, site.function):
                found = on_tpus(program, site.call.term.callee.base, inner)
                if found is not None:
                    return found
    return None


def _leading(frame: Frame) -> Iterator[Function]:
    """The functions of an activation: its own, those around it, and those of its callers."""
    current: Frame | None = frame
    while current is not None:
        around: Frame | None = current
        while around is not None:
            yield around.function
            around = around.closure
        current = current.caller


def _is_of(site: CallSite, leading: list[Function]) -> bool:
    return any(site.function is function for function in leading)


def _is_called(program: Program, site: CallSite, leading: list[Function]) -> bool:
    """Whether one of the functions calls the one in which a scope is entered: it makes the model."""
    return any(_is_of(caller, leading) for caller in program.ask(CallGraph).callers(site.function))


__all__ = ["on_tpus", "trained_on_tpus"]
