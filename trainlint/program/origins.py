"""Origins: where the trail of a value ends, as the expression that made it, in the activation that ran it.

A rule that looks for a form (a comparison, a display, a call, an item) asks here which one a term comes to, by whatever helpers,
attributes, properties and containers; and whether two terms of one activation are two names of one value.
"""

from __future__ import annotations

from trainlint.ir.nodes import Call, Element, Kwargs, LoopPhi, Param, Self, Term, Unknown
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, Instance, Library, LibraryObject, Unresolved


def origins(program: Program, term: Term, frame: Context) -> tuple[Argument, ...]:
    """The expressions one of which made what a term stands for; the term itself where there is no other.

    What ``int``, ``list`` and their like make of a thing is another thing, although the resolver takes it for the same.
    """
    found: dict[Argument, None] = {}
    if isinstance(term, Call) and any(
        isinstance(callee, Library) and callee.name in program.knowledge.transparent
        for callee in program.values(term.callee, frame)
    ):
        return (Argument(term, frame),)
    for value in program.values(term, frame):
        if isinstance(value, Unresolved):
            found[Argument(value.term, _home(value.term, value.frame))] = None
        elif isinstance(value, (LibraryObject, Instance)) and value.call is not None and value.frame is not None:
            found[Argument(value.call, _home(value.call, value.frame))] = None
        else:
            found[Argument(term, frame)] = None
    return tuple(found) or (Argument(term, frame),)


def _home(term: Term, frame: Context) -> Context:
    """The activation that runs what a term is made of: one around a function inside that only hands it out."""
    while frame.closure is not None and frame.closure.function.kind != "module":
        if any(_is_of(part, frame.function) for part in parts_of(term)):
            break
        frame = frame.closure
    return frame


def _is_of(part: Term, function: Function) -> bool:
    """Whether a term is a function's own: what it was given, or something that happens in it."""
    if isinstance(part, (Param, Kwargs)):
        return part.function == function.qualname
    if isinstance(part, Self):
        return function.cls is not None
    if isinstance(part, Call):
        return function.spot.holds(part.site)
    place = (part.line, part.column) if isinstance(part, (Element, LoopPhi, Unknown)) else None
    return place is not None and function.spot[:2] <= place < function.spot[2:]


def origin(program: Program, term: Term, frame: Context) -> Argument:
    """The expression that made what a term stands for; the term itself where it may be one of several."""
    found = origins(program, term, frame)
    return found[0] if len(found) == 1 else Argument(term, frame)


def local_origin(program: Program, term: Term, frame: Context) -> Term:
    """The same, if this activation runs that expression; else the term itself.

    Two terms with one local origin are one value for as long as the activation runs.
    """
    found = origin(program, term, frame)
    return found.term if found.frame in (frame, frame.alone) else term
