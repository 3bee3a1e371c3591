"""Constant evaluation of conditions in one calling context: true, false or unknown; and what of a block then runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from trainlint.ir.nodes import Attr, BinOp, BoolOp, Call, Compare, Const, Display, Nested, Not, Param, Select, Term
from trainlint.ir.operators import computed, connected
from trainlint.ir.sketch import Block, CallStep, Choice, Exit, If, Statement, Store
from trainlint.ir.terms import parts_through, whole_number
from trainlint.ir.walk import Entered, Region, blocks_of, reachable
from trainlint.program.call_graph import CallSite
from trainlint.program.constant_branch import set_from_outside
from trainlint.program.contexts import every_context
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, Unresolved, Value


def truth(program: Program, term: Term, frame: Context) -> bool | None:
    """Whether a condition holds in an activation; None when that cannot be seen."""
    if isinstance(term, (Not, BoolOp)):
        return connected(term, lambda part: truth(program, part, frame))
    if isinstance(term, Compare):
        return _compared(program, term, frame)
    found = {_truth_of(value) for value in program.values(term, frame)}
    return found.pop() if len(found) == 1 else None


def _compared(program: Program, term: Compare, frame: Context) -> bool | None:
    """``x is None``, ``mode == "train"`` and their opposites."""
    operator = term.op
    if operator not in ("Is", "IsNot", "Eq", "NotEq"):
        return None
    equal = _equal(program.values(term.left, frame), program.values(term.right, frame))
    return None if equal is None else equal == (operator in ("Is", "Eq"))


def _equal(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool | None:
    answers = {_same(one, other) for one in left for other in right}
    return answers.pop() if len(answers) == 1 else None


def _same(one: Value, other: Value) -> bool | None:
    first, second = constant_of(one), constant_of(other)
    if first is not None and second is not None:
        return bool(first.value == second.value)
    for known, against in ((first, other), (second, one)):
        if known is not None and known.value is None:
            return None if isinstance(against, Unresolved) and not isinstance(against.term, Display) else False
    return None


def constant(program: Program, term: Term, frame: Context) -> Const | None:
    """The one constant that a term stands for in an activation; None where it may be another one, or anything else."""
    return None if _may_change(program, term, frame) else _agreed(program.values(term, frame))


def _may_change(program: Program, term: Term, frame: Context) -> bool:
    """Whether a term is an attribute, as its object was constructed, that another function sets later: an option of a run."""
    while isinstance(term, Param):
        bound = frame.given(term)
        if not isinstance(bound, Argument):
            return False
        term, frame = bound.term, bound.frame
    if not isinstance(term, Attr):
        return False
    others = program.ask(set_from_outside).get(term.name, ())
    return any(function is not frame.function and program.together(path, frame.module) for path, function in others)


def _truth_of(value: Value) -> bool | None:
    constant = constant_of(value)
    return None if constant is None else bool(constant.value)


def constant_of(value: Value) -> Const | None:
    """The constant that a value is."""
    return value.term if isinstance(value, Unresolved) and isinstance(value.term, Const) else None


def number(program: Program, term: Term, frame: Context) -> int | None:
    """The whole number that a term is in an activation, also one that is computed there of others."""
    if isinstance(term, BinOp):
        left, right = number(program, term.left, frame), number(program, term.right, frame)
        found = computed(term.op, left, right) if left is not None and right is not None else None
        return found if type(found) is int else None
    known = constant(program, term, frame)
    return whole_number(known)


def constant_everywhere(program: Program, site: CallSite, term: Term) -> Const | None:
    """The one constant that a term stands for in every activation in which a call runs."""
    return in_every(program, site, lambda frame: constant(program, term, frame))


def in_every(program: Program, site: CallSite, answer: Callable[[Context], Const | None]) -> Const | None:
    """The constant that is the answer in every activation of the function around a call."""
    found = {answer(frame) for frame in every_context(program, site.module, site.function)}
    return found.pop() if len(found) == 1 else None


def _agreed(values: Collection[Value]) -> Const | None:
    """The constant that all of some values are."""
    found = [constant_of(value) for value in values]
    first = found[0] if found else None
    return first if first is not None and all(each is not None and each.parts == first.parts for each in found) else None


def is_constant(program: Program, term: Term | None, frame: Context, *wanted: object) -> bool:
    """Whether a term is one of these constants in an activation, whichever way it comes there."""
    found = constant(program, term, frame) if term is not None else None
    return found is not None and any(type(found.value) is type(each) and found.value == each for each in wanted)


def deep(
    program: Program, block: Block, frame: Context, but: Callable[[Term, Context], bool] | None = None
) -> Iterator[Statement]:
    """All statements that may run in an activation, as far as its conditions are known, those of inner blocks too.

    Of a branch whose condition is known only the arm is there that runs, and it takes what follows with it if it ends in a
    way out. ``but`` says which other tests are not to be gone through: neither of their arms, nor what follows when one of
    these ends in a way out.
    """

    def enter(node: Region | Choice) -> Entered | None:
        if isinstance(node, (If, Choice)):
            known = truth(program, node.condition, frame) if isinstance(node, If) else None
            if known is not None:
                return Entered((node.body if known else node.orelse,), instead=True)
            if isinstance(node, Choice) or (but is not None and but(node.condition, frame)):
                return None
        return Entered(blocks_of(node))

    return reachable(block, enter)


def choices(node: Statement) -> list[Term]:
    """The conditions that choose between two values in what a statement calls, returns or keeps: ``f(a if c else b)``."""
    terms: list[Term] = []
    if isinstance(node, CallStep):
        terms = [node.term.callee, *node.term.args, *(value for _, value in node.term.kwargs)]
    elif isinstance(node, (Exit, Store)) and node.value is not None:
        terms = [node.value]
    parts = (
        part
        for term in terms
        for part in parts_through(term, lambda each: [] if isinstance(each, (Call, Nested)) else each.subterms())
    )
    return [part.test for part in parts if isinstance(part, Select)]
