"""Provenance: where a value is written down or made, for who is told of it where it is used."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Const, Ref, Term
from trainlint.ir.sketch import CallStep, Exit, Function, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of
from trainlint.program.program import Program
from trainlint.program.values import Context, Instance, LibraryObject, Unresolved


def written_at(program: Program, term: Term, frame: Context) -> tuple[str, Spot] | None:
    """The file and place at which the one value of a term is written, if that is in another function than the term itself."""
    values = program.values(term, frame)
    only = values[0] if len(values) == 1 else None
    if isinstance(only, (Instance, LibraryObject)) and only.call is not None and only.frame is not None:
        return (only.frame.module, only.call.site) if only.frame.function is not frame.function else None
    if not isinstance(only, Unresolved) or only.frame.function is frame.function or isinstance(term, Const):
        return None
    if isinstance(only.term, Call):
        return only.frame.module, only.term.site
    passed = next((inner.call for inner in frame.active() if inner.caller is only.frame), None)
    if passed is not None:
        return only.frame.module, passed.site
    return next(((only.frame.module, spot) for spot in _mentions(only.frame.function, only.term)), None)


def _mentions(function: Function, term: Term) -> Iterator[Spot]:
    """Where a function returns, stores or hands on a value."""
    for node in statements_of(function):
        if isinstance(node, (Exit, Store)) and node.value is not None and term in parts_of(node.value):
            yield node.spot
        elif isinstance(node, CallStep) and not isinstance(node.term.callee, Ref) and _is_given(node.term, term):
            yield node.term.site


def _is_given(call: Call, term: Term) -> bool:
    return any(given is term for given in (*call.args, *(value for _, value in call.kwargs)))
