"""Small questions about an expression: whether it is a number, is kept away from 0, which functions of a library it applies."""

from __future__ import annotations

from collections.abc import Iterator
from operator import methodcaller
from typing import NamedTuple

from trainlint.domains.last_operation import GIVEN, Heads, argument
from trainlint.ir.bindings import values_of
from trainlint.ir.nodes import NAMED, Attr, BinaryOp, BinOp, Call, Const, Param, Ref, Subscript, Term
from trainlint.ir.sketch import Exit, Function, Keep, Store
from trainlint.ir.terms import closure
from trainlint.ir.walk import of_kind
from trainlint.program.consteval import constant
from trainlint.program.origins import reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, Context, Library, LibraryObject

#: What is added so that a number is not 0 is smaller than this.
_SMALL = 1e-2
#: Parts of the names by which such a number goes.
_SMALL_NAMES = ("eps", "tiny", "small", "stab", "floor")


def number(term: Term) -> float | None:
    """The number that a term is."""
    value = term.value if isinstance(term, Const) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def is_small(program: Program, term: Term, frame: Context) -> bool:
    """Whether a term is a small number, wherever that is written, or is called one (``eps``)."""
    default = frame.function.defaults.get(term.name) if isinstance(term, Param) else None
    value = number(constant(program, term, frame) or default or term)
    if value is not None:
        return 0 < value <= _SMALL
    name = term.name if isinstance(term, NAMED) else ""
    return isinstance(name, str) and any(word in name.lower() for word in _SMALL_NAMES)


def guarded_by(program: Program, term: Term, frame: Context) -> Term | None:
    """What a term keeps away from 0 (something small is added, or it is clamped); None when it is no such thing."""
    if isinstance(term, BinOp) and term.op == "Add":
        left, right = term.left, term.right
        return left if is_small(program, right, frame) else right if is_small(program, left, frame) else None
    if not isinstance(term, Call) or not (term.args or term.kwargs):
        return None
    callee = term.callee
    bounds = program.knowledge.bounds
    if isinstance(callee, Attr) and callee.name in bounds and not isinstance(callee.base, Ref):
        return callee.base
    if isinstance(callee, (Attr, Ref)) and callee.name.rpartition(".")[2] in bounds and term.args:
        return term.args[0]
    return None


def without_guard(program: Program, term: Term, frame: Context) -> tuple[Argument, bool]:
    """What is kept away from 0, or of which items are picked, where it is made; and whether it is kept away."""
    guarded, seen = False, set[Argument]()
    while (made := reaching_definition(program, term, frame)) not in seen:
        seen.add(made)
        term, frame = made
        guard = guarded_by(program, term, frame)
        if guard is not None:
            term, guarded = guard, True
        elif (whole := picked_of(program, term)) is not None:
            term = whole
        else:
            break
    return Argument(term, frame), guarded


def is_clamped(program: Program, term: Term, frame: Context) -> bool:
    """Whether what keeps something away from 0 is a bound, and no sum."""
    seen = set[Argument]()
    while (made := reaching_definition(program, term, frame)) not in seen:
        seen.add(made)
        term, frame = made
        if guarded_by(program, term, frame) is not None:
            return isinstance(term, Call)
        term = picked_of(program, term) or term
    return False


def picked_of(program: Program, term: Term) -> Term | None:
    """What items are picked of, or another shape is given to."""
    if isinstance(term, Subscript) and not isinstance(term.key, Const):
        return term.base
    if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in program.knowledge.picks:
        return term.callee.base
    return None


class Applied(NamedTuple):
    """What a function or a method computes (a word of the table ``numerics``), and of what; and the call, where it is made."""

    word: str
    of: Term
    call: Call
    frame: Context


def computed(program: Program, term: Term, frame: Context) -> Applied | None:
    """What a value was computed with, wherever that was."""
    made = reaching_definition(program, term, frame)
    return applied(program, made.term, made.frame) if isinstance(made.term, Call) else None


def applied(program: Program, call: Call, frame: Context) -> Applied | None:
    """What a call computes, by a function or an object that was made before. The arguments of a method are not looked at."""
    table = program.knowledge.numerics
    method = program.ask(Heads).method(call, frame)
    if method is not None and isinstance(call.callee, Attr):
        return Applied(table[method], call.callee.base, call, frame) if method in table else None
    names = [value.name for value in program.values(call.callee, frame) if isinstance(value, (Library, LibraryObject))]
    given = argument(call, 0, GIVEN)
    return Applied(table[names[0]], given, call, frame) if len(names) == 1 and names[0] in table and given is not None else None


def operations(_program: Program, function: Function) -> tuple[Term, ...]:
    """The arithmetic and the comparisons in what a function computes, each once; also in matrix products and comprehensions."""
    return tuple(part for part in closure(terms_of(function), methodcaller("made_of")) if isinstance(part, BinaryOp))


def terms_of(function: Function) -> Iterator[Term]:
    """The terms that a function computes and does something with."""
    yield from values_of(function)
    yield from (call.term for call in calls_of(function))
    for way_out in of_kind(function, Exit):
        if way_out.value is not None:
            yield way_out.value
    for kept in of_kind(function, Keep):
        yield kept.value
    for store in of_kind(function, Store):
        yield store.value


def reshaped(program: Program, term: Term, frame: Context, call: Call) -> Argument | None:
    """What a call gives, as the function around a term names it, if the term is that or that in another shape."""
    seen: set[Argument] = set()
    while (made := reaching_definition(program, term, frame)) not in seen:
        seen.add(made)
        if made.term is call:
            return Argument(term, made.frame)
        inner = made.term.base if isinstance(made.term, Subscript) else picked_of(program, made.term)
        if inner is None:
            break
        term, frame = inner, made.frame
    return None
