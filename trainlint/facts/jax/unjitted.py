"""Training steps that a loop runs one operation after another: nobody compiles them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.jax.dispatch import Dispatch
from trainlint.facts.naming import reference
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.traced.reached import reached
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import FunctionValue, Made
from trainlint.finding import Applicability
from trainlint.ir.nodes import Attr, Call, Global, Nested, Param, Ref
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Function
from trainlint.sites.changes import Change, InsertAfter

_GRAD, _PLAIN = "grad", "call"


class Unjitted(NamedTuple):
    """A step, the call in a loop that runs it, and what compiles it."""

    module: str
    function: Function
    site: CallSite
    change: Change | None


def unjitted(program: Program) -> Iterator[Unjitted]:
    """Each such step, once."""
    words = frozenset(program.ask(Roots).words.values()) - {_GRAD, _PLAIN}
    asked = program.ask(Dispatch)
    for module, function in program.functions():
        if (
            function.kind == "module"
            or not asked.used(module)
            or not _steps(program, module, function)
            or tests_software(program, module, function)
        ):
            continue
        if id(function) in program.ask_of(reached, words) or _is_handed_on(program, function):
            continue
        site = _looped(program, function, words)
        if site is not None:
            yield Unjitted(module, function, site, _compiled(program, module, function, site))


def _steps(program: Program, module: str, function: Function) -> bool:
    """Whether a function computes gradients of a loss that is not compiled, and applies them: once, or it is a whole training."""
    applies = program.knowledge.tables["reduces.applies"]["names"]
    if not any(isinstance(node.term.callee, Attr) and node.term.callee.name in applies for node in calls_of(function)):
        return False
    frame = program.frame(module, function)
    for node in calls_of(function):
        if not isinstance(node.term.callee, (Call, Global, Nested, Ref, Param, Attr)) or loops_around(function, node):
            continue
        for value in program.values(node.term.callee, frame):
            if isinstance(value, Made) and program.ask(Roots).word(value) == _GRAD:
                inner = list(program.ask(Roots).inner(value))
                return bool(inner) and not any(
                    root.word != _GRAD for each in inner for root in program.ask(Roots).of(each.function)
                )
    return False


def _is_handed_on(program: Program, function: Function) -> bool:
    """Whether a function is an argument of a call, which may compile it."""
    return bool(function.decorators) or any(
        isinstance(value, FunctionValue) and value.function is function
        for module, other in program.functions()
        for node in calls_of(other)
        for part in (*node.term.args, *(value for _, value in node.term.kwargs))
        if isinstance(part, (Global, Nested, Ref, Attr)) and part.name.rpartition(".")[2] == function.name
        for value in program.values(part, program.frame(module, other))
    )


def _looped(program: Program, function: Function, words: frozenset[str]) -> CallSite | None:
    """A call of a function in a loop that nothing traces."""
    for site in program.ask(CallGraph).callers(function):
        around = loops_around(site.function, site.call)
        traced = id(site.function) in program.ask_of(reached, words)
        if not around or traced or tests_software(program, site.module, site.function):
            continue
        targets = program.ask(CallGraph).targets(site.call.term, program.frame(site.module, site.function))
        if all(isinstance(target, FunctionValue) and target.function is function for target in targets):
            return site
    return None


def _compiled(program: Program, module: str, function: Function, site: CallSite) -> Change | None:
    """The function compiled behind its definition."""
    compiles = reference(program.knowledge.written["compiles"], program.modules[module])
    if compiles is None or function.cls is not None or function.outer not in (None, "<module>") or site.module != module:
        return None
    code = f"{function.name} = {compiles}({function.name})"
    return InsertAfter(Applicability.DISPLAY, "Compile the step", statement=function.spot, code=code)


__all__ = ["Unjitted", "unjitted"]
