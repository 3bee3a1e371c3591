"""Calls and conditions put in the place of others, the same object each time: terms are compared by identity."""

from __future__ import annotations

from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Element, Round, Term, Tuple
from trainlint.ir.sketch import Caught, Try, With
from trainlint.ir.terms import Terms


class Rewriting:
    """The part of :class:`trainlint.spmd.uniform_check.Agreement` that makes them."""

    def __init__(self) -> None:
        self._terms = Terms()
        self._attempts: dict[int, Try] = {}

    def instead(self, call: Call, arm: Term) -> Call:
        """The same call of one of the two things that may be called, or of its method."""
        callee = call.callee
        return self.with_callee(call, self._terms.make(Attr, arm, callee.name) if isinstance(callee, Attr) else arm)

    def with_callee(self, call: Call, callee: Term) -> Call:
        """The same call of something else."""
        return self._terms.make(Call, callee, call.args, call.kwargs, call.site)

    def attempt(self, statement: With, kinds: tuple[Term, ...]) -> Try:
        """The ``try`` that a ``with suppress(kinds)`` is."""
        known = self._attempts.get(id(statement))
        if known is None:
            caught = Caught(self._terms.make(Tuple, kinds), statement.spot)
            known = self._attempts[id(statement)] = Try(statement.body, ((),), (), (), statement.spot, (caught,))
        return known

    def applied(self, call: Call, arguments: tuple[Term, ...]) -> Call:
        """The call that something makes that is given a function: of its first argument, with these arguments."""
        return self._terms.make(Call, call.args[0], arguments, call.kwargs, call.site)

    def mapped(self, call: Call, spot: Spot) -> Call:
        """The call that ``map(function, items)`` makes in a round."""
        return self.applied(call, tuple(self._terms.make(Element, subject, *spot[:2]) for subject in call.args[1:]))

    def round_of(self, condition: Term, number: int) -> Term:
        """A loop's condition as it is asked for the so manieth time."""
        return self._terms.make(Round, condition, number)
