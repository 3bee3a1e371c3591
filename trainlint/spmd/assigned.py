"""What was answered to unknown conditions on the way to where two ranks are: by both, or by one to a test on data of its own."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.spmd.excluded import question
from trainlint.spmd.symbols import Sym
from trainlint.spmd.trace import Node

#: Conditions among which it is still asked which of them are about one thing.
_MANY = 40


class Side(NamedTuple):
    """A test on data of its own, as one of the two ranks answers it."""

    symbol: Sym
    left: bool


Assigned = frozenset[tuple[Sym | Side, bool]]


def of_side(chosen: Assigned, left: bool) -> dict[Sym | Side, bool]:
    """The conditions that were chosen, as one of two ranks knows them: of the tests on data of its own only its answers."""
    known: dict[Sym | Side, bool] = {}
    for asked, answer in chosen:
        if not isinstance(asked, Side):
            known[asked] = answer
        elif asked.left is left:
            known[asked.symbol] = answer
    return known


def is_ahead(symbol: Sym | Side, a: Node, b: Node, ahead: frozenset[Sym]) -> bool:
    """Whether a condition is asked again, by the rank whose answer it is; or another one about the same thing."""
    if isinstance(symbol, Side):
        return symbol.symbol in (a if symbol.left else b).symbols
    if symbol in ahead:
        return True
    subject = question(symbol).subject
    if subject is symbol or len(ahead) > _MANY:
        return False
    return any(question(other).subject == subject for other in ahead)
