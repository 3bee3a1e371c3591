"""Where the logarithm of a softmax or sigmoid is taken in two steps, in one function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts import naming
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.gradients.grad_mode import GradMode
from trainlint.facts.numerics.expressions import applied, number, operations, without_guard
from trainlint.facts.numerics.last_operation import Head, Heads
from trainlint.facts.numerics.loss_fixes import Path
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Library
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Subscript, Term
from trainlint.ir.printer import lasting
from trainlint.ir.sketch import Function
from trainlint.ir.terms import mentions
from trainlint.sites.changes import Change, Replace, Rewrite

#: What is computed in two steps here, and the word of its second step.
_OF = ("softmax", "sigmoid")
_LOG = "log"
_ONE = 1
#: Operators behind which a logarithm is still one, and those behind which a number is 0 where it was.
_LINEAR = frozenset(("Add", "Sub", "Mult", "Div"))
_FACTORS = frozenset(("Mult", "Div"))


class Logarithm(NamedTuple):
    """A logarithm (``site``) of what ``head`` computed.

    ``guarded``: something keeps it finite; ``direct``: it is taken of the result as it is; ``rest``: of 1 minus that.
    ``here``: both stand in one function; else others may need the probabilities, too, or it may be something else.
    """

    site: CallSite
    frame: Frame
    head: Head
    guarded: bool
    direct: bool
    rest: bool
    here: bool = True


def logarithms(program: Program) -> Iterator[Logarithm]:
    """Each logarithm of a softmax or sigmoid, applied in the same function or elsewhere, or of 1 minus a sigmoid (``rest``).

    A term of an entropy that is kept finite, ``p * log(p + eps)``, is none: where ``p`` is 0 it is as it should be. Nor is one
    that is kept finite where no gradients are recorded (a cost to compare, say), or what tests compare something with.
    """
    for site in program.ask(CallGraph).sites_named(_LOG):
        frame = program.frame(site.module, site.function)
        given = taken_of(program, site.call.term, frame)
        if given is None:
            continue
        inner, guarded = without_guard(program, given)
        rest = isinstance(inner, BinOp) and inner.op == "Sub" and number(inner.left) == _ONE
        found = program.ask(Heads).of(inner.right if isinstance(inner, BinOp) and rest else inner, frame)
        own = [head for head in found if head.word in _OF]
        if len({head.word for head in own}) != 1 or any(head.word not in (None, own[0].word) for head in found):
            continue
        head = own[0]
        here = head.frame is frame and not head.layer and len(own) == len(found)
        if rest and head.word != "sigmoid":
            continue
        if tests_software(program, site.module, site.function):
            continue  # the two steps are what something is compared with
        if guarded and weighted(program, site.function, site.call.term, inner):
            continue
        if not (guarded and program.ask(GradMode).always_off(frame, Spot(*site.call.term.site))):
            yield Logarithm(site, frame, head, guarded, given is head.term, rest, here)


def taken_of(program: Program, call: Call, frame: Frame) -> Term | None:
    """What a call takes the logarithm of; None for any other call."""
    found = applied(program, call, frame)
    as_method = found is not None and isinstance(call.callee, Attr) and found.of is call.callee.base
    return found.of if found is not None and found.word == _LOG and not (as_method and (call.args or call.kwargs)) else None


def weighted(program: Program, function: Function, log: Term, inner: Term) -> bool:
    """Whether a logarithm is multiplied by what it is taken of (``p * log(p)``), anywhere in the function.

    What is computed of that (``(1 - p)**2``, a loss) is another number: 0 times minus infinity is not in sight then.
    """
    for part in program.ask_of(operations, function):
        if isinstance(part, BinOp) and part.op == "Mult" and mentions(part, log):
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if _has(program, one, log, _LINEAR) and _has(program, other, inner, _FACTORS):
                    return True
    return False


def _has(program: Program, term: Term, wanted: Term, operators: frozenset[str]) -> bool:
    """Whether a term is another one, whatever that is joined with by these operators, kept from 0, or picked of."""
    term, _ = without_guard(program, term)
    if term is wanted:
        return True
    if isinstance(term, Subscript):
        return _has(program, term.base, wanted, operators)
    if isinstance(term, BinOp) and term.op == "Sub" and number(term.left) == 0:
        return _has(program, term.right, wanted, operators)
    if not isinstance(term, BinOp) or term.op not in operators:
        return False
    return _has(program, term.left, wanted, operators) or (term.op != "Div" and _has(program, term.right, wanted, operators))


def as_one(program: Program, found: Logarithm, message: str) -> Change | None:
    """The function that computes both steps as one, in the place of the logarithm; only where it is the same up to rounding."""
    head, module, log = found.head, program.modules[found.site.module], found.site.call.term
    if not found.direct or found.guarded or found.rest:
        return None
    method = program.ask(Heads).method(head.call, head.frame)
    names = [value.name for value in program.values(head.call.callee, head.frame) if isinstance(value, Library)]
    name = method or (names[0] if len(names) == 1 else "")
    other = program.knowledge.logarithms.get(name)
    if other is None:
        return None
    written = naming.reference(other, module)
    outer: Path = (("argument", 0),) if log.args else (("receiver", 0),)
    if not log.site.holds(head.call.site):
        return _by_name(found, written, log, message)
    if method is None or head.word == "sigmoid":
        if written is None:
            return None
        inner: Path = (*outer, ("receiver", 0)) if method is not None else (*outer, ("arguments", 0))
        return Rewrite(Applicability.SAFE, message, spot=log.site, code=f"{written}({{0}})", paths=(inner,))
    code = f"{{0}}.{other.rpartition('.')[2]}({{1}})"
    paths = ((*outer, ("receiver", 0)), (*outer, ("arguments", 0)))
    return Rewrite(Applicability.SAFE, message, spot=log.site, code=code, paths=paths)


def _by_name(found: Logarithm, written: str | None, log: Call, message: str) -> Change | None:
    """Where the softmax has a name, and what it is of has one, too."""
    call, given = found.head.call, found.head.given
    name = lasting(given, found.site.function) if given is not None else None
    positional = call.args[1:] if call.args and call.args[0] is given else call.args
    if (
        written is None
        or name is None
        or any(number(value) is None for value in (*positional, *(value for _, value in call.kwargs)))
    ):
        return None
    rest = [repr(value.value) for value in positional if isinstance(value, Const)]
    rest += [f"{key}={value.value!r}" for key, value in call.kwargs if isinstance(value, Const)]
    return Replace(Applicability.SAFE, message, spot=log.site, code=f"{written}({', '.join([name, *rest])})")
