"""Reaching definitions: the expression that made what a term stands for, wherever that was, where it is one alone."""

from __future__ import annotations

from trainlint.ir.nodes import Term
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, Instance, LibraryObject, Unresolved, Value


def reaching_definition(program: Program, term: Term, frame: Context) -> Argument:
    """The expression that made a value, and the activation in which it stands.

    The term itself where it may stand for one of several, or for what no expression makes: a class, a function. A copy
    (``list(x)``, ``int(x)``, table ``transparent``) counts as what it is a copy of: who asks for the very same object cannot ask
    here.
    """
    values = program.values(term, frame)
    made = expression_of(values[0]) if len(values) == 1 else None
    return made or Argument(term, frame)


def expression_of(value: Value) -> Argument | None:
    """The expression that made a value; None for what none makes."""
    if isinstance(value, Unresolved):
        return Argument(value.term, value.frame)
    if isinstance(value, (LibraryObject, Instance)) and value.call is not None and value.frame is not None:
        return Argument(value.call, value.frame)
    return None
