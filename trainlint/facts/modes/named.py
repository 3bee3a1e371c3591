"""What names say of a pass: that it evaluates, on held-out data."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.modes.rounds import Event, words_of
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import NAMES, Term
from trainlint.ir.sketch import Loop
from trainlint.ir.terms import parts_of


def says_evaluation(program: Program, event: Event, frame: Frame, loop: Loop | None) -> bool:
    """Whether names say that a pass evaluates: of the loops around it in the loop, or its functions, up to the frame."""
    wanted = program.knowledge.evaluation_words
    inner = [each for each in event.inside if each is not loop]
    if any(not wanted.isdisjoint(words_of(name)) for each in inner for name in _names(each.subject, event.frame)):
        return True
    at: Frame | None = event.frame
    while at is not None and (at is not frame or loop is None):
        if not wanted.isdisjoint(words_of(at.function.name)):
            return True
        at = at.caller if at is not frame else None
    return False


def _names(subject: Term, frame: Frame) -> Iterator[str]:
    """The names in what a loop goes over: of loaders, datasets, settings, also of local variables."""
    parts = set(parts_of(subject))
    for part in parts:
        if isinstance(part, NAMES):
            yield part.name.rpartition(".")[2]
    at: Frame | None = frame
    while at is not None:
        yield from (name for name, held in held_at_end(at.function).items() if held in parts)
        at = at.caller
