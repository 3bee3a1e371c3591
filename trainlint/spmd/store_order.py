"""What comes first: a question, or the call of a function that sets what is asked for.

``prepare()`` asks for ``LEADER``, and ``setup()``, called further down in the same function, sets it by the rank: ``prepare``
sees what it was before. Both are followed upwards, as long as one function makes all the calls, to a function that comes to both.
Where it, or one of its callers, is run more than once, the second time sees what the first one left.
"""

from __future__ import annotations

from trainlint.ir.order import Place as Step
from trainlint.ir.order import before, loops_around, order, repeated_by
from trainlint.ir.sketch import Function
from trainlint.program.call_graph import CallGraph
from trainlint.program.program import Program
from trainlint.spmd.questions import Place

#: Callers above one another that are looked at.
_DEEPEST = 6

#: For functions one above the other, innermost first: the step in each that leads down (None: its end).
Way = list[tuple[Function, Step | None]]


def set_later(program: Program, asked: Place, setter: Function, store: Step | None) -> bool | None:
    """Whether a store of a function comes behind a place; None where nothing tells which of them is first."""
    frame = asked.frame
    if frame is None:
        return None
    way: Way = []
    while frame is not None:
        way.append((frame.function, asked.step_in(frame)))
        frame = frame.caller
    for function, at in way:
        if function is setter:
            return _is_behind(function, at, store)
    calling = _upwards(program, [(setter, store)], first=True)
    if len(calling) == 1:
        return None
    steps = {id(function): at for function, at in calling}
    for function, at in _upwards(program, way, first=False):
        if id(function) in steps:
            behind = _is_behind(function, at, steps[id(function)])
            return behind and _runs_once(program, function)
    return None


def _is_behind(function: Function, at: Step | None, step: Step | None) -> bool:
    """Whether a step comes behind another one, and not in a loop around both."""
    if at is None or step is None or not before(function, at, step):
        return False
    return set(repeated_by(function, at)).isdisjoint(loops_around(function, step))


def _upwards(program: Program, way: Way, *, first: bool) -> Way:
    """A way with the callers above it, as long as one function makes all the calls: by its first call, or its last."""
    found = list(way)
    while len(found) < _DEEPEST:
        sites = program.ask(CallGraph).callers(found[-1][0])
        above = {id(site.function): site.function for site in sites}
        if len(above) != 1 or any(function is found[-1][0] for function in above.values()):
            break
        function = next(iter(above.values()))
        calls = sorted((site.call for site in sites), key=lambda call: order(function).at(call) or 0)
        found.append((function, calls[0 if first else -1]))
    return found


def _runs_once(program: Program, function: Function) -> bool:
    """Whether a function is called in one place at most, which no loop is around, and so are its callers."""
    for _ in range(_DEEPEST):
        sites = program.ask(CallGraph).callers(function)
        if not sites:
            return True
        if len(sites) > 1 or loops_around(sites[0].function, sites[0].call):
            return False
        function = sites[0].function
    return False
