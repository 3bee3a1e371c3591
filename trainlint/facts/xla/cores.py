"""Functions that an object runs on every core: ``parallel(step, loader)`` calls ``step(model, batches, …)`` there.

Nobody is seen to call such a function. What it is handed is known all the same: the object's module, and the batches of
the loader on the core's device. (torch_xla up to 1.13, ``data_parallel.DataParallel``; the role ``cores`` of the table ``xla``.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made, Value
from trainlint.ir.nodes import Call
from trainlint.ir.sketch import Function

Role = Callable[[Value], str | None]


def on_cores(program: Program, role: Role, function: Function) -> Iterator[Frame]:
    """The activations of a function that such objects run, one for each call; nothing for other functions."""
    for site in program.ask(CallGraph).handed.get(function.name, ()):
        own = program.frame(site.module, site.function)
        call = site.call.term
        for value in program.values(call.callee, own):
            if role(value) == "cores" and isinstance(value, (Made, Instance)) and len(call.args) == 2 and not call.kwargs:  # noqa: PLR2004
                for target in program.values(call.args[0], own):
                    if isinstance(target, FunctionValue) and target.function is function:
                        yield _frame(program, site, own, target, value)


def _frame(program: Program, site: CallSite, own: Frame, target: FunctionValue, made: Made | Instance) -> Frame:
    function, call = target.function, site.call.term
    frame = Frame(
        target.module,
        function,
        receiver=target.receiver,
        closure=target.closure or program.frame(target.module, function).closure,
        depth=own.depth + 1,
        caller=own,
        call=call,
    )
    free = function.parameters[1:] if target.receiver is not None else function.parameters
    loads = next(
        (n for n, word in program.knowledge.xla.items() if word == "loader" and program.knowledge.iterates.get(n) == "same"), None
    )
    for parameter, value in zip(free, (_module(program, made), None), strict=False):
        if value is not None:
            frame.arguments[parameter] = value
    if len(free) > 1 and loads is not None:
        frame.arguments[free[1]] = Made(loads, Call.new(call.callee, call.args[1:], (), call.site), own)
    return frame


def _module(program: Program, made: Made | Instance) -> Value | None:
    """The module that runs on the cores: an object of the class that is handed over, or the object."""
    if made.call is None or made.frame is None or not made.call.args:
        return None
    for value in program.values(made.call.args[0], made.frame):
        if isinstance(value, ClassValue):
            return Instance(value.module, value.cls)
        if isinstance(value, Instance):
            return value
    return None
