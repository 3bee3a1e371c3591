"""What becomes of values in a function: handed to collectives, changed, put into others."""

from __future__ import annotations

from trainlint.ir.nodes import Attr, BinOp, Call, Self, Slice, Subscript, Term
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.program.program import Program


def exchanged(program: Program, function: Function) -> frozenset[Term]:
    """What a function hands to collectives."""
    names = program.ask(_exchanging)
    calls = [node.term for node in of_kind(function, CallStep)]
    return frozenset(call.args[0] for call in calls if call.args and last_name(call.callee) in names)


def _exchanging(program: Program) -> frozenset[str]:
    """The last names of collectives."""
    return frozenset(name.rpartition(".")[2] for name in program.knowledge.collectives)


def changed_in(program: Program, function: Function) -> frozenset[Term]:
    """Into what a function puts items, or out of what it takes some."""
    names = frozenset(program.knowledge.gathers) | program.knowledge.empties | {"remove"}
    calls = [node.term for node in of_kind(function, CallStep)]
    return frozenset(t.callee.base for t in calls if isinstance(t.callee, Attr) and t.callee.name in names)


def padded_to(items: Term, more: Term) -> Term | None:
    """The ``total`` of ``items + items[: total - len(items)]``: what the author takes to be the length then."""
    if not isinstance(more, Subscript) or more.base is not items or not isinstance(more.key, Slice):
        return None
    upper = more.key.upper
    if not isinstance(upper, BinOp) or upper.op != "Sub" or not isinstance(upper.right, Call) or upper.right.args != (items,):
        return None
    return upper.left


def reads(term: Term, attribute: Attr) -> bool:
    """Whether a value is made of an attribute of the object."""
    return any(isinstance(part, Attr) and isinstance(part.base, Self) and part.name == attribute.name for part in parts_of(term))


def goes_into(part: Term, whole: Term) -> bool:
    """Whether a value goes into another one: that is then kept in its place."""
    return part is not whole and mentions(whole, part)
