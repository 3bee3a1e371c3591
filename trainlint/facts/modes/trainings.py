"""The loops in which models are trained and something else is done with them, each run for two rounds."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.loops import Loops, loops_of
from trainlint.facts.modes.rounds import Run, TooMuch
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.sketch import Loop


def runs(program: Program, *, evaluating: bool) -> Iterator[tuple[Frame, Loop, Run]]:
    """The loops that may train, inner ones first; ``evaluating``: only those that may put something into evaluation mode."""
    asked, knowledge = program.ask(Loops), program.knowledge
    for path, function in list(program.functions()):
        frame = program.frame(path, function)
        for loop in reversed([loop for loop, _ in loops_of(function)]):
            if not asked.says(path, function, loop.body, knowledge.training):
                continue
            if evaluating and not asked.says(path, function, loop.body, knowledge.evaluates):
                continue
            run = run_of(program, frame, loop)
            if run is not None:
                yield frame, loop, run


def run_of(program: Program, frame: Frame, loop: Loop) -> Run | None:
    """The run of a loop (made once); None where it is too long."""
    known = program.ask(_runs)
    if id(loop) not in known:
        try:
            known[id(loop)] = Run(program, frame, loop)
        except TooMuch:
            known[id(loop)] = None
    return known[id(loop)]


def _runs(_program: Program) -> dict[int, Run | None]:
    """By the id of a loop its run: loops that say the same are equal."""
    return {}
