"""Logarithms and roots of what is 0 for some inputs: of squares, absolute values, mixtures of probabilities, 1 minus a square."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.numerics.expressions import applied, number, without_guard
from trainlint.facts.numerics.last_operation import argument
from trainlint.facts.precision.regimes import Regimes
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Global, Param, Term
from trainlint.ir.sketch import If
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import of_kind

_DEEPEST = 12
#: Words of functions whose result is never below 0 and may be 0, whatever they are given; and of those for which that goes on.
_NEVER_BELOW = frozenset(("square", "abs", "relu", "norm", "one-hot", "softmax", "sigmoid"))
_GOES_ON = frozenset(("sum", "mean", "sqrt"))
#: What has a rule of its own: the logarithm of these directly.
_TWO_STEPS = frozenset(("softmax", "sigmoid"))
#: The functions that are asked about: at 0 the one is minus infinity, the other has an infinite slope.
LOG, ROOT = "log", "sqrt"
_EXPONENT = "exponent"
_SQUARES = frozenset(("power", "square"))
#: Terms that are names of things.
_BARE = frozenset((Param, Global, Attr, Const))


class Unguarded(NamedTuple):
    """A logarithm or root (``word``) of something that may be 0."""

    site: CallSite
    word: str


def unguarded(program: Program) -> Iterator[Unguarded]:
    """Each logarithm and square root of what may be 0 and is not kept from it, where gradients may be recorded."""
    zeros = Zeros(program)
    for word in (LOG, ROOT):
        for site in program.ask(CallGraph).sites_named(word):
            call, frame = site.call.term, program.frame(site.module, site.function)
            found = applied(program, call, frame)
            if (
                found is None
                or found.word != word
                or (isinstance(call.callee, Attr) and found.of is call.callee.base and (call.args or call.kwargs))
            ):
                continue
            given, guarded = without_guard(program, found.of)
            if guarded or not zeros.may_be(given, frame, 0, outermost=True) or _tested(site, given):
                continue
            if any(program.ask(Regimes).of(call, one).grad for one in activations(program, site.module, site.function)):
                yield Unguarded(site, word)


def _tested(site: CallSite, given: Term) -> bool:
    """Whether the function compares what is asked about with something."""
    conditions = [node.condition for node in of_kind(site.function, If)]
    return any(part is given for condition in conditions for part in parts_of(condition))


class Zeros:
    """Whether a value is never below 0, and 0 for some inputs, as far as the function in which it is computed says."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def may_be(self, term: Term, frame: Frame, depth: int, *, outermost: bool = False) -> bool:
        """See the class; ``outermost``: what has a rule of its own does not count."""
        if depth > _DEEPEST:
            return False
        term, guarded = without_guard(self.program, term)
        if guarded:
            return False
        if isinstance(term, Call):
            return self._called(term, frame, depth + 1, outermost=outermost)
        return isinstance(term, BinOp) and self._computed(term, frame, depth + 1)

    def _called(self, call: Call, frame: Frame, depth: int, *, outermost: bool) -> bool:
        found = applied(self.program, call, frame)
        if found is None:
            return False
        word, given = found
        if word == "power":
            as_method = isinstance(call.callee, Attr) and given is call.callee.base
            exponent = argument(call, 0 if as_method else 1, _EXPONENT)
            return self._power(given, exponent, frame, depth)
        if word in _GOES_ON:
            return self.may_be(given, frame, depth)
        return word in _NEVER_BELOW and not (outermost and word in _TWO_STEPS)

    def _power(self, base: Term, exponent: Term | None, frame: Frame, depth: int) -> bool:
        value = number(exponent) if exponent is not None else None
        if (value is not None and value <= 0) or without_guard(self.program, base)[1]:
            return False
        return (value is not None and value % 2 == 0) or self.may_be(base, frame, depth)

    def _computed(self, term: BinOp, frame: Frame, depth: int) -> bool:
        operator, left, right = term.op, term.left, term.right
        if operator == "Pow":
            return self._power(left, right, frame, depth)
        if operator == "Sub":
            return number(left) is not None and self._is_square(right, frame)
        if operator in ("Mult", "Div"):
            if operator == "Mult" and self.program.sayings.of(left) == self.program.sayings.of(right):
                return not without_guard(self.program, left)[1]
            sides = [self._factor(side, frame, depth) for side in (left, right)]
            return None not in sides and any(sides)
        if operator != "Add" or _excluded(left, right):
            return False
        return self.may_be(left, frame, depth) and self.may_be(right, frame, depth)

    def _factor(self, term: Term, frame: Frame, depth: int) -> bool | None:
        """Whether a factor may be 0 (False: it is a number above 0; None: nobody knows)."""
        value = number(term)
        if value is not None:
            return False if value > 0 else None
        return True if self.may_be(term, frame, depth) else None

    def _is_square(self, term: Term, frame: Frame) -> bool:
        found = applied(self.program, term, frame) if isinstance(term, Call) else None
        base = (
            term.left if isinstance(term, BinOp) and term.op == "Pow" else found.of if found and found.word in _SQUARES else None
        )
        return base is not None and not without_guard(self.program, base)[1]


def _excluded(left: Term, right: Term) -> bool:
    """Whether two squares are not 0 together: of ``t`` and ``1 - t``, or of an error and a number by which it is smoothed."""
    bases = [term.left for term in (left, right) if isinstance(term, BinOp) and term.op == "Pow"]
    if len(bases) < len((left, right)):
        return False
    one, other = bases
    return (type(one) in _BARE) != (type(other) in _BARE) or mentions(one, other) or mentions(other, one)
