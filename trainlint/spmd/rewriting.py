"""Calls and conditions put in the place of others, the same object each time: terms are compared by identity."""

from __future__ import annotations

from trainlint.facts.displays import at
from trainlint.finding import Spot
from trainlint.model.sketch import Caught, Try, With
from trainlint.model.terms import Term, Terms


class Rewriting:
    """The part of :class:`trainlint.spmd.agreement.Agreement` that makes them."""

    def __init__(self) -> None:
        self._terms = Terms()
        self._attempts: dict[int, Try] = {}

    def instead(self, call: Term, index: int) -> Term:
        """The same call of one of the things that may be called; ``index``: where that stands in the value or display."""
        callee = call[1]
        if callee[0] == "sub":
            return self.with_callee(call, at(callee[1], index))
        return self.with_callee(call, callee[index] if callee[0] == "if" else self._terms.make("a", callee[1][index], callee[2]))

    def with_callee(self, call: Term, callee: Term) -> Term:
        """The same call of something else."""
        return self._terms.make("call", callee, *call[2:])

    def attempt(self, statement: With, kinds: tuple[Term, ...]) -> Try:
        """The ``try`` that a ``with suppress(kinds)`` is."""
        known = self._attempts.get(id(statement))
        if known is None:
            caught = Caught(self._terms.make("tuple", kinds), statement.spot)
            known = self._attempts[id(statement)] = Try(statement.body, ((),), (), (), statement.spot, (caught,))
        return known

    def applied(self, call: Term, arguments: tuple[Term, ...]) -> Term:
        """The call that something makes that is given a function: of its first argument, with these arguments."""
        return self._terms.make("call", call[2][0], arguments, *call[3:])

    def mapped(self, call: Term, spot: Spot) -> Term:
        """The call that ``map(function, items)`` makes in a round."""
        return self.applied(call, tuple(self._terms.make("elem", subject, *spot[:2]) for subject in call[2][1:]))

    def round_of(self, condition: Term, number: int) -> Term:
        """A loop's condition as it is asked for the so manieth time."""
        return self._terms.make("round", condition, number)
