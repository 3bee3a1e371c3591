"""Passes that are made again and again on one input: how far their outputs lie apart is asked, so they are to be random."""

from __future__ import annotations

from trainlint.facts.loops import loops_around
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Attr, Call, Element, LoopPhi, Term, Unknown
from trainlint.ir.sketch import CallStep, Loop
from trainlint.ir.terms import parts_of


def sampled(program: Program, call: CallStep, frame: Frame) -> bool:
    """Whether the innermost loop (or comprehension) around a call repeats it with the same arguments."""
    around = loops_around(frame.function, call)
    if not around or around[-1].kind != "for":
        return False
    return not varies(program, call, around[-1])


def varies(program: Program, call: CallStep, loop: Loop) -> bool:
    """Whether a call is given something else in each round of a loop around it, or may be."""
    given = parts_of(*call.term.args, *(value for _, value in call.term.kwargs))
    return any(_varies(program, part, loop) for part in given)


def _varies(program: Program, part: Term, loop: Loop) -> bool:
    """Whether something is another value in each round of a loop, or may be."""
    if isinstance(part, Element):
        return part.of is loop.subject
    if isinstance(part, LoopPhi):
        return bool((part.line, part.column) == loop.spot[:2])
    if isinstance(part, Unknown):
        return bool(loop.spot.line <= part.line <= loop.spot.end_line)
    if not isinstance(part, Call) or not loop.spot.holds(part.site):
        return False
    same = program.knowledge.tensor_methods | program.knowledge.fluent
    return not (isinstance(part.callee, Attr) and part.callee.name in same)
