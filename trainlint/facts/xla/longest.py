"""Home-made padding: a collate function that measures the longest item of its batch, and makes what is as long as that.

``longest = max(len(row) for row in batch)`` and then ``torch.zeros(len(batch), longest)``, or ``[pad] * (longest - len(row))``.
Where the length is rounded up or compared with a bound first, somebody has thought of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library
from trainlint.ir.nodes import Attr, BinOp, Call, List, Param, SequenceDisplay, Subscript, Term, Unknown
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of

_SIGNED = ("Add", "Sub")
_ROUNDING = ("Mod", "FloorDiv", "Div")


def pads_to(program: Program, call: Call, frame: Frame) -> bool:
    """Whether a call that finds the largest of some numbers finds the longest item of the batch, and things are made as long."""
    if len(call.args) != 1 or call.kwargs or not _is_over_lengths(program, call.args[0], frame):
        return False
    sized = False
    for term in _made(frame):
        for part in parts_of(term):
            if isinstance(part, BinOp) and part.op in _ROUNDING and call in parts_of(part):
                return False
            sized = sized or _is_as_long(program, part, call, frame)
    return sized


def _made(frame: Frame) -> Iterator[Term]:
    """The calls of a function, and what its comprehensions make."""
    for node in statements_of(frame.function):
        if isinstance(node, CallStep):
            yield node.term
    yield from (drawn.item for drawn in frame.function.drawn.values() if drawn is not None)


def _is_over_lengths(program: Program, term: Term, frame: Frame) -> bool:
    """Whether numbers are the lengths of what the function is given: one for each."""
    drawn = frame.function.drawn.get(term) if isinstance(term, Unknown) else None
    if drawn is not None:
        given = any(isinstance(part, Param) and part.function == frame.function.qualname for part in parts_of(drawn.subject))
        return given and not drawn.tests and _is_length(program, drawn.item, frame)
    return isinstance(term, Call) and len(term.args) > 1 and _measures(program, term.args[0], frame)  # ``map(len, rows)``


def _is_length(program: Program, term: Term, frame: Frame) -> bool:
    """``len(row)``, ``row.shape[0]``, ``row.size(0)``."""
    if isinstance(term, Subscript):
        term = term.base
        return isinstance(term, Attr) and term.name in program.knowledge.measures
    return isinstance(term, Call) and (
        _measures(program, term.callee, frame)
        or (isinstance(term.callee, Attr) and term.callee.name in program.knowledge.measures)
    )


def _measures(program: Program, callee: Term, frame: Frame) -> bool:
    found = (value.name for value in program.values(callee, frame) if isinstance(value, Library))
    return any(name.rpartition(".")[2] in program.knowledge.measures for name in found)


def _is_as_long(program: Program, term: Term, longest: Term, frame: Frame) -> bool:
    """A tensor made with this size, or a list that is repeated as often as is missing."""
    if isinstance(term, BinOp) and term.op == "Mult":
        return any(isinstance(one, List) and _grows_with(other, longest) for one, other in (term.sides, term.sides[::-1]))
    if not isinstance(term, Call):
        return False
    sizes = [part for given in term.args for part in (given.items if isinstance(given, SequenceDisplay) else (given,))]
    if not any(_grows_with(size, longest) for size in sizes):
        return False
    names = (value.name for value in program.values(term.callee, frame) if isinstance(value, Library))
    return any(name in program.knowledge.filled for name in names)


def _grows_with(term: Term, longest: Term) -> bool:
    """Whether a number is the longest length, or that and more or less."""
    if term is longest:
        return True
    return isinstance(term, BinOp) and term.op in _SIGNED and any(_grows_with(part, longest) for part in term.subterms())
