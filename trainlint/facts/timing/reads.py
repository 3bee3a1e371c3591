"""Values that are fetched from the device in every step of a training loop, each of which the host waits for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.dynamo.breaks import cut_at
from trainlint.facts.gradients.backward import Backward
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.timing.device import Device, on_the_same_data
from trainlint.facts.timing.freeing import is_one_step
from trainlint.facts.values import Frame, FunctionValue
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Ref, Term
from trainlint.ir.order import loops_around, same_round
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.terms import parts_of

_BUILTINS = "builtins."
_PRINTS = "print"
_TO_NUMBERS = ("float", "int", _PRINTS)
_HIGHEST = 3
#: A loop that trains steps an optimizer; what only compares gradients does not.
_STEPS = frozenset(("step", "optimizer_step"))


#: What a list is handed it keeps as it is.
_KEEPS = frozenset(("append", "extend"))


class Read(NamedTuple):
    """The first value that is fetched in a step; ``more`` are the others, ``backward`` the backward pass of the step.

    ``value`` says how a repair finds what is fetched in the call: as a receiver, an argument, or not at all (``None``), as where
    another call is given the number.
    """

    module: str
    call: CallStep
    more: tuple[CallStep, ...]
    backward: Spot
    value: str | None


def every_step(program: Program) -> Iterator[Read]:
    """One for each training loop on a device in whose every round something is fetched."""
    index, asked = program.ask(CallGraph), program.ask(Device)
    seen: set[int] = set()
    for name in sorted(program.knowledge.backward):
        for site in index.sites.get(name, ()):
            for module, function in _functions(program, site):
                if id(function) in seen:
                    continue
                seen.add(id(function))
                if not asked.used(module) or asked.elsewhere(module, function) or tests_software(program, module, function):
                    continue
                found = _in_function(program, asked, module, function)
                if found is not None and _steps(program, module, function):
                    yield found


def _functions(program: Program, site: CallSite) -> Iterator[tuple[str, Function]]:
    """The function of a backward pass, and those that hand it their loss."""
    yield site.module, site.function
    for caller in program.ask(CallGraph).callers(site.function):
        yield caller.module, caller.function


def _in_function(program: Program, asked: Device, module: str, function: Function) -> Read | None:
    frame = program.frame(module, function)
    places = {call.term.site: call for call in calls_of(function)}
    led = {id(node): way for node, way in walk_tested(function.body)}
    for root in program.ask(Backward).roots(frame):
        passes = places.get(root.spot)
        if root.returned or passes is None:
            continue
        around = loops_around(function, passes)
        if not _is_step(program, module, function, around) or _is_whole_pass(program, passes, frame):
            continue
        reads = [
            call
            for call in calls_of(function)
            if same_round(function, call, passes)
            and _only_with(led[id(call)], led[id(passes)])
            and _fetches(asked, call.term, frame, root.term)
            and not cut_at(program, module, call.term.site)
        ]
        reads = [call for call in reads if not any(_is_inside(call.term, other.term) for other in reads if other is not call)]
        if reads:
            value = None if is_handed_on(function, reads[0].term) else _value(reads[0].term)
            return Read(module, reads[0], tuple(reads[1:]), root.spot, value)
    return None


def _steps(program: Program, module: str, function: Function) -> bool:
    """Whether an optimizer is stepped in a function, or in one that calls it."""
    asked = program.ask(Loops)
    if asked.function_says(module, function, _STEPS):
        return True
    return any(asked.function_says(site.module, site.function, _STEPS) for site in program.ask(CallGraph).callers(function))


def _is_step(program: Program, module: str, function: Function, around: tuple[Loop, ...]) -> bool:
    """Whether the innermost loop goes over batches, as far as is known, or the function is called in such a loop."""
    if around:
        return not on_the_same_data(program, around[-1], program.frame(module, function))
    pending, seen = [(module, function)], {id(function)}
    for _ in range(_HIGHEST):
        sites = [site for _, each in pending for site in program.ask(CallGraph).callers(each) if id(site.function) not in seen]
        for site in sites:
            outside = loops_around(site.function, site.call)
            if outside:
                return _is_step(program, site.module, site.function, outside)
            seen.add(id(site.function))
        pending = [(site.module, site.function) for site in sites]
    return False


def _is_whole_pass(program: Program, call: CallStep, frame: Frame) -> bool:
    """Whether what trains is a function that does so in a loop of its own: who calls it again and again counts epochs."""
    own = any(isinstance(each, FunctionValue) for each in program.ask(CallGraph).targets(call.term, frame))
    return own and not is_one_step(program, call, frame)


def _only_with(led: Led, other: Led) -> bool:
    """Whether what leads to a call also leads to another."""
    return all(test in other for test in led)


def _fetches(asked: Device, call: Call, frame: Frame, root: Term) -> bool:
    """Whether a call fetches the loss, or something else that the model has computed."""
    name = last_name(call.callee) or ""
    if isinstance(call.callee, Attr) and not call.args and name in asked.knowledge.reads:
        return _is_computed(asked, call.callee.base, frame, root)
    if isinstance(call.callee, Ref) and call.callee.name in {_BUILTINS + each for each in _TO_NUMBERS}:
        return any(_is_computed(asked, each, frame, root) and not _is_fetched(asked, each) for each in _said(asked, call, frame))
    return False


def _said(asked: Device, call: Call, frame: Frame) -> Iterator[Term]:
    """What a call is given; of an f-string, its parts."""
    texts = asked.program.modules[frame.module].texts
    for each in call.args:
        yield from texts.get(each, (each,))


def _is_computed(asked: Device, term: Term, frame: Frame, root: Term) -> bool:
    if isinstance(term, Const):
        return False
    parts = set(parts_of(term))
    if any(isinstance(part, Attr) and part.name in asked.knowledge.measures for part in parts):
        return False
    return root in parts or asked.holds_result(term, frame)


def _is_fetched(asked: Device, term: Term) -> bool:
    """Whether something in a term has been fetched already, or is no tensor."""
    return any(
        isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in asked.knowledge.on_host
        for part in parts_of(term)
    )


def _is_inside(call: Call, other: Term) -> bool:
    """Whether a call is a part of what another is called on or given."""
    return any(part is call for part in parts_of(other) if part is not other)


def is_handed_on(function: Function, fetched: Call) -> bool:
    """Whether another call is given what was fetched: kept on the device it may only be fetched there, by a `print` for one."""
    return any(_is_inside(fetched, call.term) for call in calls_of(function) if last_name(call.term.callee) not in _KEEPS)


def _value(call: Call) -> str | None:
    if isinstance(call.callee, Attr) and call.callee.name == "item":
        return "receiver"
    return (
        "argument" if isinstance(call.callee, Ref) and call.callee.name == f"{_BUILTINS}float" and len(call.args) == 1 else None
    )
