"""Passes that are made again and again on one input: how far their outputs lie apart is asked, so they are to be random."""

from __future__ import annotations

from trainlint.facts.loops import loops_around
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.model.sketch import Call, Loop
from trainlint.model.terms import Term, parts_of


def sampled(program: Program, call: Call, frame: Frame) -> bool:
    """Whether the innermost loop (or comprehension) around a call repeats it with the same arguments."""
    around = loops_around(frame.function, call)
    if not around or around[-1].kind != "for":
        return False
    return not varies(program, call, around[-1])


def varies(program: Program, call: Call, loop: Loop) -> bool:
    """Whether a call is given something else in each round of a loop around it, or may be."""
    given = parts_of(*call.term[2], *(value for _, value in call.term[3]))
    return any(_varies(program, part, loop) for part in given)


def _varies(program: Program, part: Term, loop: Loop) -> bool:
    """Whether something is another value in each round of a loop, or may be."""
    if part[0] == "elem":
        return part[1] is loop.subject
    if part[0] == "lv":
        return bool((part[2], part[3]) == loop.spot[:2])
    if part[0] == "v":
        return bool(loop.spot.line <= part[1] <= loop.spot.end_line)
    if part[0] != "call" or not loop.spot.holds(part[4]):
        return False
    same = program.knowledge.tensor_methods | program.knowledge.fluent
    return not (part[1][0] == "a" and part[1][2] in same)
