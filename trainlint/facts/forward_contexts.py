"""The activations in which the `forward` of a module runs because its object is called: by name, as it was made, moved first."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance
from trainlint.ir.nodes import Attr, Call
from trainlint.ir.sketch import Function

_MOST = 8
_DEEPEST = 4


def passes(program: Program, module: str, function: Function, depth: int = _DEEPEST) -> list[Frame]:
    """The frames in which a function runs; those of a ``forward`` are entered from where its object is called, too."""
    return list(program.ask_of(_passes, (module, function, depth)))


def _passes(program: Program, about: tuple[str, Function, int]) -> list[Frame]:
    module, function, depth = about
    found = _called(program, function, depth) if function.name in program.knowledge.runs_model and depth else []
    return found[:_MOST] or activations(program, module, function)


def _called(program: Program, function: Function, depth: int) -> list[Frame]:
    index = program.ask(CallGraph)
    found: list[Frame] = []
    for site in dict.fromkeys((*index.callers(function), *index.objects_called(function), *_made(program, function))):
        if site.function is function or len(found) >= _MOST:
            continue
        for caller in passes(program, site.module, site.function, depth - 1):
            targets = [each for each in _targets(program, site.call.term, caller) if each.function is function]
            found += [program.enter(target, site.call.term, caller) for target in targets if not caller.runs(function)]
    return list(dict.fromkeys(found))


def _made(program: Program, function: Function) -> Iterator[CallSite]:
    """Calls of what a call of the class made: ``net = Net().cuda()``, ``net(x)``."""
    own = (function.cls or "").rpartition(".")[2]
    for site in program.ask(CallGraph).results:
        made = site.call.term.callee
        if own and isinstance(made, Call) and last_name(_unmoved(program, made).callee) == own:
            yield site


def _unmoved(program: Program, made: Call) -> Call:
    while isinstance(made.callee, Attr) and made.callee.name in program.knowledge.fluent and isinstance(made.callee.base, Call):
        made = made.callee.base
    return made


def _targets(program: Program, call: Call, frame: Frame) -> Iterator[FunctionValue]:
    """What a call of an object runs, with that object; moving it makes no other one."""
    found = [target for target in program.ask(CallGraph).targets(call, frame) if isinstance(target, FunctionValue)]
    yield from found
    if found or not isinstance(call.callee, Call):
        return
    for value in program.values(_unmoved(program, call.callee), frame):
        if isinstance(value, Instance):
            method = program.method(ClassValue(value.module, value.cls), "forward")
            if method is not None:
                yield FunctionValue(method[0], method[1], value)
