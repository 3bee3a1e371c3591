"""Keyword arguments that a function takes from ``**kwargs``: what ``kwargs.pop("x", None)`` gives in one activation."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.values import Bound, Frame
from trainlint.ir.nodes import Attr, Call, Const, Kwargs, Term

_TAKES = ("pop", "get")


class Taken(NamedTuple):
    """What is taken: the argument that was passed, else the default (None: there is none given)."""

    passed: Bound | None
    default: Term | None


def taken(call: Call, frame: Frame) -> Taken | None:
    """What a call like ``kwargs.get("x", default)`` gives; None when it is no such call or the content is not known."""
    callee = call.callee
    if (
        not isinstance(callee, Attr)
        or callee.name not in _TAKES
        or not isinstance(callee.base, Kwargs)
        or not call.args
        or not isinstance(call.args[0], Const)
    ):
        return None
    holder = frame.holder(callee.base.function)
    if holder is None or holder.open:
        return None
    return Taken(holder.surplus.get(call.args[0].value), call.args[1] if len(call.args) > 1 else None)


def holds(container: Term, key: Term, frame: Frame) -> bool | None:
    """Whether ``key in kwargs``; None when that is not known."""
    if not isinstance(container, Kwargs) or not isinstance(key, Const):
        return None
    holder = frame.holder(container.function)
    return None if holder is None or holder.open else key.value in holder.surplus


def passed_as(container: Kwargs, key: Term, frame: Frame) -> Bound | None:
    """What was passed that ``kwargs["x"]`` gives; None when that is not known."""
    if not isinstance(key, Const):
        return None
    holder = frame.holder(container.function)
    return None if holder is None or holder.open else holder.surplus.get(key.value)
