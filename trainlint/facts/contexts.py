"""From all callers to the callee: the activations in which a function really runs."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance
from trainlint.ir.nodes import Call
from trainlint.ir.sketch import Function, With
from trainlint.ir.walk import of_kind

_MOST = 8
_DEEPEST = 4


def activations(program: Program, module: str, function: Function, depth: int = _DEEPEST) -> list[Frame]:
    """The frames in which a function runs, one for each way its callers call it; on its own when nobody does.

    A frame knows its arguments, and through its caller's frame theirs.
    """
    return list(program.ask_of(_activations, (module, function, depth)))


def _activations(program: Program, about: tuple[str, Function, int]) -> list[Frame]:
    module, function, depth = about
    found: list[Frame] = []
    if depth > 0 and function.kind != "module":
        index = program.ask(CallGraph)
        for site in index.callers(function):
            if site.function is function:
                continue
            for caller in activations(program, site.module, site.function, depth - 1):
                if caller.runs(function) or len(found) >= _MOST:
                    continue
                found.extend(_entered(program, site, caller, function))
    return found or [program.frame(module, function)]


def _entered(program: Program, site: CallSite, caller: Frame, function: Function) -> Iterator[Frame]:
    for target in program.ask(CallGraph).targets(site.call.term, caller):
        if isinstance(target, FunctionValue) and target.function is function:
            yield program.enter(target, site.call.term, caller)
            return
    if function.name == "__enter__" and opens(site.function, site.call.term):
        for value in program.values(site.call.term, caller):
            method = program.method(ClassValue(value.module, value.cls), function.name) if isinstance(value, Instance) else None
            if method is not None and method[1] is function:
                alone = program.frame(method[0], function)
                yield Frame(
                    method[0],
                    function,
                    receiver=value,
                    closure=alone.closure,
                    depth=caller.depth + 1,
                    caller=caller,
                    call=site.call.term,
                    open=False,
                )
                return


def opens(function: Function, call: Call) -> bool:
    """Whether a ``with`` of a function enters what a call makes."""
    return any(call is item for node in of_kind(function, With) for item in node.items)


def site_of(program: Program, frame: Frame) -> CallSite | None:
    """The call that made a frame."""
    if frame.caller is None:
        return None
    sites = [site for site in program.ask(CallGraph).callers(frame.function) if site.function is frame.caller.function]
    made = (site for site in sites if site.call.term is frame.call)
    return next(made, None) or next(iter(sites), None)
