"""Functions that ``functools.partial`` made of others, and what runs when a value is called by somebody out of sight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made, Value
from trainlint.ir.nodes import Call, Term
from trainlint.ir.sketch import Function

PARTIAL = "functools.partial"


class Partial(NamedTuple):
    """``partial(f, a, k=b)``: the call, and the activation it stands in."""

    call: Call
    frame: Frame

    @property
    def callee(self) -> Term:
        """``f``."""
        callee: Term = self.call.args[0]
        return callee

    @property
    def filled(self) -> int:
        """How many of the first parameters of ``f`` are given already."""
        return len(self.call.args) - 1

    @property
    def applied(self) -> Call:
        """The call ``f(a, k=b)``."""
        return Call.new(self.call.args[0], self.call.args[1:], self.call.kwargs, self.call.site)


def partial_of(value: Value) -> Partial | None:
    """How a value was made by ``functools.partial``; None for any other value."""
    if not isinstance(value, Made) or value.name != PARTIAL or value.call is None or value.frame is None or not value.call.args:
        return None
    return Partial(value.call, value.frame)


def called_elsewhere(program: Program, value: Value) -> Iterator[tuple[Function, Frame]]:
    """What runs when somebody out of sight calls a value: each function of the project, in an activation of it.

    A loader calls the ``collate_fn`` that it is given so, for example: its arguments are not known.
    """
    if isinstance(value, FunctionValue):
        frame = program.frame(value.module, value.function)
        if value.receiver is not None or value.closure is not None:
            receiver = value.receiver if value.receiver is not None else frame.receiver
            frame = Frame(value.module, value.function, receiver=receiver, closure=value.closure or frame.closure)
        yield value.function, frame
        return
    if isinstance(value, Instance):
        method = program.method(ClassValue(value.module, value.cls), "__call__")
        if method is not None:
            yield method[1], program.instance_frame(value, *method)
        return
    partial = partial_of(value)
    for inner in program.values(partial.callee, partial.frame) if partial is not None else ():
        if isinstance(inner, FunctionValue) and partial is not None:
            yield inner.function, program.enter(inner, partial.applied, partial.frame)
