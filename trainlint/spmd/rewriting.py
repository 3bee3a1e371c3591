"""Calls and conditions put in the place of others, the same object each time: terms are compared by identity."""

from __future__ import annotations

from trainlint.facts.displays import at
from trainlint.model.terms import Term


class Rewriting:
    """The part of :class:`trainlint.spmd.agreement.Agreement` that makes them."""

    def __init__(self) -> None:
        self._instead: dict[tuple[Term, int], Term] = {}
        self._items: dict[Term, tuple[Term, ...]] = {}
        self._applied: dict[tuple[Term, tuple[Term, ...]], Term] = {}
        self._called_instead: dict[tuple[Term, Term], Term] = {}
        self._rounds: dict[tuple[Term, int], Term] = {}

    def instead(self, call: Term, index: int) -> Term:
        """The same call of one of the things that may be called; ``index``: where that stands in the value or display."""
        known = self._instead.get((call, index))
        if known is None:
            callee = call[1]
            if callee[0] == "sub":
                one = at(callee[1], index)
            else:
                one = callee[index] if callee[0] == "if" else Term(("a", callee[1][index], callee[2]))
            known = self._instead[call, index] = Term(("call", one, *call[2:]))
        return known

    def with_callee(self, call: Term, callee: Term) -> Term:
        """The same call of something else."""
        known = self._called_instead.get((call, callee))
        if known is None:
            known = self._called_instead[call, callee] = Term(("call", callee, *call[2:]))
        return known

    def same_items(self, call: Term, items: tuple[Term, ...]) -> tuple[Term, ...]:
        """The items that a call goes over, the same objects each time."""
        return self._items.setdefault(call, items)

    def applied(self, call: Term, arguments: tuple[Term, ...]) -> Term:
        """The call that something makes that is given a function: of its first argument, with these arguments."""
        key = (call, arguments)
        known = self._applied.get(key)
        if known is None:
            known = self._applied[key] = Term(("call", call[2][0], arguments, call[3], call[4]))
        return known

    def round_of(self, condition: Term, number: int) -> Term:
        """A loop's condition as it is asked for the so manieth time."""
        return self._rounds.setdefault((condition, number), Term(("round", condition, number)))
