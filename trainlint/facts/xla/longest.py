"""Home-made padding: a collate function that measures the longest item of its batch, and makes what is as long as that.

``longest = max(len(row) for row in batch)`` and then ``torch.zeros(len(batch), longest)``, or ``[pad] * (longest - len(row))``.
Where the length is rounded up or compared with a bound first, somebody has thought of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library
from trainlint.model.sketch import Call
from trainlint.model.terms import Term, parts_of, subterms
from trainlint.model.walk import statements_of

_SIGNED = ("Add", "Sub")
_ROUNDING = ("Mod", "FloorDiv", "Div")
_SHOWN = ("list", "tuple")


def pads_to(program: Program, call: Term, frame: Frame) -> bool:
    """Whether a call that finds the largest of some numbers finds the longest item of the batch, and things are made as long."""
    if len(call[2]) != 1 or call[3] or not _is_over_lengths(program, call[2][0], frame):
        return False
    sized = False
    for term in _made(frame):
        for part in parts_of(term):
            if part[0] == "bin" and part[1] in _ROUNDING and call in parts_of(part):
                return False
            sized = sized or _is_as_long(program, part, call, frame)
    return sized


def _made(frame: Frame) -> Iterator[Term]:
    """The calls of a function, and what its comprehensions make."""
    for node in statements_of(frame.function):
        if isinstance(node, Call):
            yield node.term
    yield from (drawn.item for drawn in frame.function.drawn.values() if drawn is not None)


def _is_over_lengths(program: Program, term: Term, frame: Frame) -> bool:
    """Whether numbers are the lengths of what the function is given: one for each."""
    drawn = frame.function.drawn.get(term) if term[0] == "v" else None
    if drawn is not None:
        given = any(part[0] == "p" and part[1] == frame.function.qualname for part in parts_of(drawn.subject))
        return given and not drawn.tests and _is_length(program, drawn.item, frame)
    return term[0] == "call" and len(term[2]) > 1 and _measures(program, term[2][0], frame)  # ``map(len, rows)``


def _is_length(program: Program, term: Term, frame: Frame) -> bool:
    """``len(row)``, ``row.shape[0]``, ``row.size(0)``."""
    if term[0] == "sub":
        term = term[1]
        return term[0] == "a" and term[2] in program.knowledge.measures
    return term[0] == "call" and (
        _measures(program, term[1], frame) or (term[1][0] == "a" and term[1][2] in program.knowledge.measures)
    )


def _measures(program: Program, callee: Term, frame: Frame) -> bool:
    found = (value.name for value in program.values(callee, frame) if isinstance(value, Library))
    return any(name.rpartition(".")[2] in program.knowledge.measures for name in found)


def _is_as_long(program: Program, term: Term, longest: Term, frame: Frame) -> bool:
    """A tensor made with this size, or a list that is repeated as often as is missing."""
    if term[0] == "bin" and term[1] == "Mult":
        return any(one[0] == "list" and _grows_with(other, longest) for one, other in (term[2:4], term[3:1:-1]))
    if term[0] != "call":
        return False
    sizes = [part for given in term[2] for part in (given[1] if given[0] in _SHOWN else (given,))]
    if not any(_grows_with(size, longest) for size in sizes):
        return False
    names = (value.name for value in program.values(term[1], frame) if isinstance(value, Library))
    return any(name in program.knowledge.filled for name in names)


def _grows_with(term: Term, longest: Term) -> bool:
    """Whether a number is the longest length, or that and more or less."""
    if term is longest:
        return True
    return term[0] == "bin" and term[1] in _SIGNED and any(_grows_with(part, longest) for part in subterms(term))
