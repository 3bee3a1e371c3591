"""Ranks that take turns in the rounds of a loop: each does its part in the round that is its own."""

from __future__ import annotations

from collections.abc import Callable

from trainlint.ir.nodes import Attr, Compare, Const, Element, Subscript, Term

_EQUALITIES = ("Eq", "NotEq")


def is_own_turn(condition: Term, is_of_rank: Callable[[Term], bool]) -> bool:
    """Whether a test compares what a loop draws with something of the rank (``for worker in workers: if worker == rank``).

    Which rank comes first is then a matter of what is gone over, but each has its turn: none of them is left out.
    """
    if not isinstance(condition, Compare) or condition.op not in _EQUALITIES:
        return False
    left, right = condition.left, condition.right
    return (_is_drawn(left) and is_of_rank(right)) or (_is_drawn(right) and is_of_rank(left))


def _is_drawn(term: Term) -> bool:
    """Whether a term is what a loop draws, or a part of it that is written down."""
    while isinstance(term, Attr) or (isinstance(term, Subscript) and isinstance(term.key, Const)):
        term = term.base
    return isinstance(term, Element)
