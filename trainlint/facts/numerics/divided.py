"""Where something is divided by its own norm, or by its standard deviation, and nothing keeps that from 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.numerics.expressions import applied, operations, reshaped
from trainlint.facts.precision.regimes import Regimes
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Attr, BinOp, BoolOp, Call, Compare, Const, Not, Ref, Subscript, Term
from trainlint.ir.sketch import Function, If, Keep
from trainlint.ir.terms import parts_of, parts_through
from trainlint.ir.walk import of_kind

NORM, DEVIATION, SIZES, _MEAN = "norm", "deviation", "sizes", "mean"
_ABS = "abs"
#: What a function may ask or change: the number by which something is divided, or more than that.
_OF_IT, _OF_MORE = "it", "more"


class Divided(NamedTuple):
    """The call of the norm or deviation (``word``) that something is divided by; of several absolute values the first.

    ``sure``: the function tests nothing that is computed of the quotient, and changes nothing of that.
    """

    site: CallSite
    word: str
    sure: bool = True


def unguarded(program: Program) -> Iterator[Divided]:
    """Each ``x / x.norm(…)`` and ``(x - x.mean()) / x.std()`` where nobody looks at what it is divided by.

    Only where gradients may be recorded: in what only predicts, one row that is not a number harms no other.
    """
    seen: set[Term] = set()
    yield from _by_sizes(program)
    table = program.knowledge.numerics
    names = {name.rpartition(".")[2] for name, word in table.items() if word in (NORM, DEVIATION)}
    for name in sorted(names):
        for site in program.ask(CallGraph).sites_named(name):
            call, frame = site.call.term, program.frame(site.module, site.function)
            found = applied(program, call, frame) if call not in seen else None
            seen.add(call)
            if found is None or found.word not in (NORM, DEVIATION):
                continue
            quotients = _quotients(program, site, call, *found, frame)
            asked = _asked(program, site.function, call, quotients) if quotients else _OF_IT
            if asked == _OF_IT:
                continue
            if any(program.ask(Regimes).of(call, one).grad for one in activations(program, site.module, site.function)):
                yield Divided(site, found.word, sure=asked is None)


def _quotients(program: Program, site: CallSite, call: Call, word: str, given: Term, frame: Frame) -> list[Term]:
    """Where a function divides something by its norm or deviation; nothing if it divides nothing of its own."""
    wanted = program.sayings.of(given)
    parts = program.ask_of(operations, site.function)
    found = [part for part in parts if isinstance(part, BinOp) and part.op == "Div" and reshaped(program, part.right, call)]
    return [*found] if any(_is_own(program, part.left, word, wanted, frame) for part in found) else []


def _is_own(program: Program, left: Term, word: str, wanted: int, frame: Frame) -> bool:
    """Whether what is divided is what the norm is of; for a deviation, that without its mean."""
    if word == NORM:
        return program.sayings.of(left) == wanted
    if (
        not isinstance(left, BinOp)
        or left.op != "Sub"
        or program.sayings.of(left.left) != wanted
        or not isinstance(left.right, Call)
    ):
        return False
    mean = applied(program, left.right, frame)
    return mean is not None and mean.word == _MEAN and program.sayings.of(mean.of) == wanted


def _asked(program: Program, function: Function, call: Call, quotients: list[Term]) -> str | None:
    """What a function tests, or changes some of: the number or the quotient, or what it computes of that and of others."""
    terms: list[Term] = [part for part in program.ask_of(operations, function) if isinstance(part, Compare)]
    terms += [node.condition for node in of_kind(function, If)]
    terms += [node.target for node in of_kind(function, Keep)]
    told = [part for term in terms if _says(program, term, call) for part in _operands(term)]
    if any(_is_of(program, part, call, quotients) for part in told):
        return _OF_IT
    return _OF_MORE if told else None


def _operands(term: Term) -> Iterator[Term]:
    """What a test compares or asks, and what an item that is changed is one of."""
    if isinstance(term, (BoolOp, Not, Compare, Subscript)):
        for part in term.subterms():
            yield from _operands(part)
    else:
        yield term


def _is_of(program: Program, term: Term, call: Call, quotients: list[Term]) -> bool:
    """Whether a term is computed of the number, otherwise than by the quotient, or of the quotient alone (``isnan(x).any()``)."""
    parts = parts_through(term, lambda part: [] if part in quotients else part.subterms())
    return any(_is_it(program, part, call) for part in parts) or _is_alone(term, quotients)


def _is_it(program: Program, part: Term, call: Call) -> bool:
    """Whether a term is a call, or the same one written again."""
    return part is call or (isinstance(part, Call) and program.sayings.of(part) == program.sayings.of(call))


def _is_alone(term: Term, quotients: list[Term]) -> bool:
    """Whether a term is computed of quotients and of what is written down, and of nothing else."""
    if term in quotients:
        return True
    if not isinstance(term, (Call, BinOp, Subscript)):
        return False
    parts = [*term.args, *(value for _, value in term.kwargs)] if isinstance(term, Call) else term.subterms()
    if isinstance(term, Call) and isinstance(term.callee, Attr):
        parts.append(term.callee.base)
    given = [part for part in parts if not isinstance(part, (Const, Ref))]
    return bool(given) and all(_is_alone(part, quotients) for part in given)


def _says(program: Program, term: Term, call: Call) -> bool:
    """Whether a call, or the same one written again, stands in a term."""
    return any(_is_it(program, part, call) for part in parts_of(term))


def _by_sizes(program: Program) -> Iterator[Divided]:
    """Each quotient by the sum of two absolute values (``|x - y| / (|x| + |y|)``)."""
    for site in program.ask(CallGraph).sites_named(_ABS):
        call, frame = site.call.term, program.frame(site.module, site.function)
        sums = (part.right for part in program.ask_of(operations, site.function) if isinstance(part, BinOp) and part.op == "Div")
        if not any(
            isinstance(each, BinOp) and each.op == "Add" and each.left is call and _is_abs(program, each, frame) for each in sums
        ):
            continue
        if any(program.ask(Regimes).of(call, one).grad for one in activations(program, site.module, site.function)):
            yield Divided(site, SIZES)


def _is_abs(program: Program, total: BinOp, frame: Frame) -> bool:
    found = [applied(program, part, frame) if isinstance(part, Call) else None for part in total.sides]
    return all(one is not None and one.word == _ABS for one in found)
