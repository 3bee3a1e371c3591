"""Origins: where the trail of a value ends, as the expression that made it, in the activation that ran it.

A rule that looks for a form (a comparison, a display, a call, an item) asks here which one a term comes to, by whatever helpers,
attributes, properties and containers; and whether two terms of one activation are two names of one value.
"""

from __future__ import annotations

from trainlint.ir.nodes import Term
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, Instance, LibraryObject, Unresolved


def origins(program: Program, term: Term, frame: Context) -> tuple[Argument, ...]:
    """The expressions one of which made what a term stands for; the term itself where there is no other."""
    found: dict[Argument, None] = {}
    for value in program.values(term, frame):
        if isinstance(value, Unresolved):
            found[Argument(value.term, value.frame)] = None
        elif isinstance(value, (LibraryObject, Instance)) and value.call is not None and value.frame is not None:
            found[Argument(value.call, value.frame)] = None
        else:
            found[Argument(term, frame)] = None
    return tuple(found) or (Argument(term, frame),)


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
