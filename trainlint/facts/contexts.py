"""From all callers to the callee: the activations in which a function really runs."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.calls import CallSite, calls
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue
from trainlint.model.sketch import Function

_MOST = 8
_DEEPEST = 4


def activations(program: Program, module: str, function: Function, depth: int = _DEEPEST) -> list[Frame]:
    """The frames in which a function runs, one for each way its callers call it; on its own when nobody does.

    A frame knows its arguments, and through its caller's frame theirs.
    """
    known = program.analyses.setdefault("activations", {})
    assert isinstance(known, dict)
    key = (id(function), depth)
    if key not in known:
        known[key] = _activations(program, module, function, depth)
    return list(known[key])


def _activations(program: Program, module: str, function: Function, depth: int) -> list[Frame]:
    found: list[Frame] = []
    if depth > 0 and function.kind != "module":
        index = calls(program)
        for site in index.callers(function):
            if site.function is function:
                continue
            for caller in activations(program, site.module, site.function, depth - 1):
                if caller.runs(function) or len(found) >= _MOST:
                    continue
                found.extend(_entered(program, site, caller, function))
    return found or [program.frame(module, function)]


def _entered(program: Program, site: CallSite, caller: Frame, function: Function) -> Iterator[Frame]:
    for target in calls(program).targets(site.call.term, caller):
        if isinstance(target, FunctionValue) and target.function is function:
            yield program.enter(target, site.call.term, caller)
            return


def site_of(program: Program, frame: Frame) -> CallSite | None:
    """The call that made a frame."""
    if frame.caller is None:
        return None
    sites = [site for site in calls(program).callers(frame.function) if site.function is frame.caller.function]
    made = (site for site in sites if site.call.term is frame.call)
    return next(made, None) or next(iter(sites), None)
