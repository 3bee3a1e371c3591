"""What a call passes to the function that it runs: the activation, with its arguments."""

from __future__ import annotations

from trainlint.facts.values import Bound, Frame, FunctionValue
from trainlint.ir.nodes import Call, Kwargs, Term, Unknown


def activation(target: FunctionValue, call: Call, caller: Frame, alone: Frame) -> Frame:
    """The activation of a function that one call of it begins; ``alone`` is the function on its own."""
    function = target.function
    parameters = function.parameters
    skip = 1 if function.kind in ("method", "property", "classmethod") else 0
    frame = Frame(
        target.module,
        function,
        receiver=target.receiver if function.kind != "static" else None,
        closure=target.closure or alone.closure,
        depth=caller.depth + 1,
        caller=caller,
        call=call,
        alone=alone,
    )
    if skip and target.receiver is None:
        frame.receiver = alone.receiver
        skip = 0  # called through the class: the instance is the first argument
    passes = [(call.args, call.kwargs, caller)]
    if target.given is not None:  # ``partial(function, first)(second)``
        made = target.given.term
        assert isinstance(made, Call)
        passes.insert(0, (made.args[1:], made.kwargs, target.given.frame))
    _pass_in_order([(argument, at) for given, _, at in passes for argument in given], skip, frame)
    named = [(name, argument, at) for _, pairs, at in passes for name, argument in pairs]
    for name, argument, at in named:
        if name in parameters:
            frame.arguments[name] = Bound(argument, at)
        elif name is not None:
            frame.surplus = {**frame.surplus, name: Bound(argument, at)}
    frame.open = False
    for name, argument, at in named:
        if name is None:
            _pass_on(argument, at, frame)
    return frame


def _pass_in_order(given: list[tuple[Term, Frame]], skip: int, frame: Frame) -> None:
    """Positional arguments, each with the activation that passes it; ``*args`` hands on what that was given itself."""
    parameters = frame.function.parameters[skip : frame.function.positional]
    passed: list[Bound] = []
    known = True
    for argument, caller in given:
        spread = caller.function.spread
        if not isinstance(argument, Unknown):
            passed.append(Bound(argument, caller))
        elif argument not in spread:
            passed.append(Bound(argument, caller))
            known = False  # perhaps several
        elif caller.rest is not None:
            passed += caller.rest
        else:
            known = False
            break
    for parameter, bound in zip(parameters, passed, strict=False):
        frame.arguments[parameter] = bound
    if known:
        frame.rest = tuple(passed[len(parameters) :])


def _pass_on(argument: Term, caller: Frame, frame: Frame) -> None:
    """``f(**kwargs)``: what the caller was given and did not name goes on."""
    holder = caller.holder(argument.function) if isinstance(argument, Kwargs) else None
    if holder is None or holder.open:
        frame.open = True
        return
    for name, bound in holder.surplus.items():
        if name in frame.function.parameters:
            frame.arguments.setdefault(name, bound)
        elif name not in frame.surplus:
            frame.surplus = {**frame.surplus, name: bound}
