"""Keyword arguments that a function takes from ``**kwargs``: what ``kwargs.pop("x", None)`` gives in one activation."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.values import Bound, Frame
from trainlint.model.terms import Term

_TAKES = ("pop", "get")


class Taken(NamedTuple):
    """What is taken: the argument that was passed, else the default (None: there is none given)."""

    passed: Bound | None
    default: Term | None


def taken(call: Term, frame: Frame) -> Taken | None:
    """What a call like ``kwargs.get("x", default)`` gives; None when it is no such call or the content is not known."""
    callee = call[1]
    if callee[0] != "a" or callee[2] not in _TAKES or callee[1][0] != "kw" or not call[2] or call[2][0][0] != "c":
        return None
    holder = frame.holder(callee[1][1])
    if holder is None or holder.open:
        return None
    return Taken(holder.surplus.get(call[2][0][2]), call[2][1] if len(call[2]) > 1 else None)


def holds(container: Term, key: Term, frame: Frame) -> bool | None:
    """Whether ``key in kwargs``; None when that is not known."""
    if container[0] != "kw" or key[0] != "c":
        return None
    holder = frame.holder(container[1])
    return None if holder is None or holder.open else key[2] in holder.surplus


def passed_as(container: Term, key: Term, frame: Frame) -> Bound | None:
    """What was passed that ``kwargs["x"]`` gives; None when that is not known."""
    holder = frame.holder(container[1]) if key[0] == "c" else None
    return None if holder is None or holder.open else holder.surplus.get(key[2])
