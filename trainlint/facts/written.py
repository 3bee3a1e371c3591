"""Which of two values a condition picks, where what it asks is written down in the call: ``build(data, world_size=1)``."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from trainlint.facts.values import Bound, Frame
from trainlint.model.terms import Term

_DEEPEST = 6
#: Stands for what is not written down.
_UNKNOWN = object()
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}


def alternatives(term: Term, frame: Frame) -> tuple[Term, ...]:
    """The parts of an ``if``, ``and`` or ``or`` term that may be its value."""
    if term[0] != "if":
        return term[1]  # type: ignore[no-any-return]
    condition = picked(term[1], frame)
    return (term[2], term[3]) if condition is None else (term[2] if condition else term[3],)


def picked(condition: Term, frame: Frame, depth: int = 0) -> bool | None:
    """Whether a condition holds in an activation; None unless constants that were passed, or are defaults, say so."""
    tag = condition[0]
    if depth > _DEEPEST:
        return None
    if tag == "not":
        inner = picked(condition[1], frame, depth + 1)
        return None if inner is None else not inner
    if tag in ("and", "or"):
        settles: bool = tag == "or"
        parts = [picked(part, frame, depth + 1) for part in condition[1]]
        if settles in parts:
            return settles
        return None if None in parts else not settles
    if tag == "cmp":
        return _compared(condition, frame)
    value = _written(condition, frame)
    return None if value is _UNKNOWN else bool(value)


def _compared(condition: Term, frame: Frame) -> bool | None:
    left, right = _written(condition[2], frame), _written(condition[3], frame)
    if left is _UNKNOWN or right is _UNKNOWN or condition[1] not in _COMPARE:
        return None
    try:
        return bool(_COMPARE[condition[1]](left, right))
    except TypeError:
        return None


def _written(term: Term, frame: Frame, depth: int = 0) -> Any:
    """The constant that a term is in an activation, followed through parameters only."""
    if term[0] == "c":
        return term[2]
    if term[0] != "p" or depth > _DEEPEST:
        return _UNKNOWN
    holder = frame.holder(term[1])
    if holder is None or holder.call is None:
        return _UNKNOWN
    bound = holder.arguments.get(term[2])
    if isinstance(bound, Bound):
        return _written(bound.term, bound.frame, depth + 1)
    default = holder.function.defaults.get(term[2])
    if bound is not None or default is None or default[0] != "c" or not _says_all(holder.call):
        return _UNKNOWN
    return default[2]


def _says_all(call: Term) -> bool:
    """Whether a call names all that it passes: no ``*args``, no ``**kwargs``, so that a default is one."""
    return all(name is not None for name, _ in call[3]) and not any(argument[0] == "v" for argument in call[2])
