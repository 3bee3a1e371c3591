"""The loops of a function, and what has to hold for one to have a round at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.def_use import is_comprehension
from trainlint.facts.program import calls_of
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Display, Ref, Select, Term
from trainlint.ir.sketch import Function, Loop
from trainlint.ir.walk import of_kind
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
    added = {
        call.term.callee.base
        for call in calls_of(function)
        if isinstance(call.term.callee, Attr) and call.term.callee.name in _ADDING
    }
    for loop in of_kind(function, Loop):
        if not is_comprehension(loop) and not is_over_hooks(loop.subject):
            yield Round(loop.spot, _filled(loop.subject, added) if loop.kind != "while" else None)


def _filled(subject: Term, added: set[Term]) -> tuple[Term, bool] | None:
    """The test behind which something is filled that is empty otherwise: ``names = []``, ``if args.fused: names = ["net"]``."""
    for _ in range(_DEEPEST):
        if isinstance(subject, Call) and last_name(subject.callee) in _OVER and subject.args:
            subject = subject.args[0]
        elif (
            isinstance(subject, Call)
            and isinstance(subject.callee, Attr)
            and subject.callee.name in ("items", "keys", "values")
            and not subject.args
        ):
            subject = subject.callee.base
    if not isinstance(subject, Select) or subject in added or _is_empty(subject.then) == _is_empty(subject.other):
        return None
    return subject.test, _is_empty(subject.other)


def _is_empty(term: Term) -> bool:
    if isinstance(term, Display):
        return not term.values
    return bool(
        isinstance(term, Call)
        and isinstance(term.callee, Ref)
        and term.callee.name in _EMPTY
        and not term.args
        and not term.kwargs
    )
