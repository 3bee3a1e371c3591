"""Passes that are made again and again on one input: how far their outputs lie apart is asked, so they are to be random."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Attr, Call, Element, LoopPhi, Term, Unknown
from trainlint.ir.order import loops_around, made_within, within
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.terms import parts_of


def sampled(program: Program, call: CallStep, frame: Frame) -> bool:
    """Whether the innermost loop (or comprehension) around a call repeats it with the same arguments."""
    around = loops_around(frame.function, call)
    if not around or around[-1].kind != "for":
        return False
    return not varies(program, call, frame.function, around[-1])


def varies(program: Program, call: CallStep, function: Function, loop: Loop) -> bool:
    """Whether a call is given something else in each round of a loop around it, or may be."""
    given = parts_of(*call.term.args, *(value for _, value in call.term.kwargs))
    return any(_varies(program, part, function, loop) for part in given)


def _varies(program: Program, part: Term, function: Function, loop: Loop) -> bool:
    """Whether something is another value in each round of a loop, or may be."""
    if isinstance(part, Element):
        return part.of is loop.subject
    if isinstance(part, LoopPhi):
        return bool((part.line, part.column) == loop.spot[:2])
    if isinstance(part, Unknown):
        return made_within(function, loop, part)
    if not isinstance(part, Call) or not within(function, loop, part):
        return False
    same = program.knowledge.tensor_methods | program.knowledge.fluent
    return not (isinstance(part.callee, Attr) and part.callee.name in same)
