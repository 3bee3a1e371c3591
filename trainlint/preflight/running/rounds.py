"""The loops of a function, and what has to hold for one to have a round at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import last_name
from trainlint.facts.program import calls_of
from trainlint.facts.uses import is_comprehension
from trainlint.finding import Spot
from trainlint.model.sketch import Function, Loop
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind
from trainlint.preflight.running.hooks import is_over_hooks

#: What goes over another thing, item by item.
_OVER = frozenset(("enumerate", "tqdm", "sorted", "list", "tuple", "set", "reversed", "iter", "track"))
#: What makes a container with nothing in it.
_EMPTY = frozenset(("builtins.set", "builtins.list", "builtins.dict", "builtins.tuple", "builtins.frozenset"))
#: What puts something into one later.
_ADDING = frozenset(("append", "add", "extend", "update", "insert", "setdefault", "appendleft"))
#: Calls within calls that are looked through.
_DEEPEST = 4


class Round(NamedTuple):
    """Where a loop stands, and the test (with its arm) without which it goes over nothing."""

    spot: Spot
    test: tuple[Term, bool] | None


def rounds_of(function: Function) -> Iterator[Round]:
    """The loops of a function that are no comprehensions, and do not go over callbacks."""
    added = {call.term[1][1] for call in calls_of(function) if call.term[1][0] == "a" and call.term[1][2] in _ADDING}
    for loop in of_kind(function, Loop):
        if not is_comprehension(loop) and not is_over_hooks(loop.subject):
            yield Round(loop.spot, _filled(loop.subject, added) if loop.kind != "while" else None)


def _filled(subject: Term, added: set[Term]) -> tuple[Term, bool] | None:
    """The test behind which something is filled that is empty otherwise: ``names = []``, ``if args.fused: names = ["net"]``."""
    for _ in range(_DEEPEST):
        if subject[0] == "call" and last_name(subject[1]) in _OVER and subject[2]:
            subject = subject[2][0]
        elif subject[0] == "call" and subject[1][0] == "a" and subject[1][2] in ("items", "keys", "values") and not subject[2]:
            subject = subject[1][1]
    if subject[0] != "if" or subject in added or _is_empty(subject[2]) == _is_empty(subject[3]):
        return None
    return subject[1], _is_empty(subject[3])


def _is_empty(term: Term) -> bool:
    if term[0] in ("list", "tuple", "set", "dict"):
        return not term[1] or type(term[1]) is not tuple
    return bool(term[0] == "call" and term[1][0] == "r" and term[1][1] in _EMPTY and not term[2] and not term[3])
