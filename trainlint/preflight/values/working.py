"""What comes out when values that are known are compared, and when numbers are worked with."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from trainlint.ir.nodes import Attr, Call, Ref, Term

_COMPARED: Mapping[str, Callable[[Any, Any], object]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Is": operator.is_,
    "IsNot": operator.is_not,
}
_MADE: Mapping[str, Callable[[Any, Any], object]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
}
#: Numbers are worked out up to this one, and powers up to that.
_LARGEST, _HIGHEST = 2**64, 64


def compared(name: str, left: object, right: object) -> tuple[object] | None:
    """What a comparison says of two values, by the parser's name for it; None where that is not known."""
    if name not in _COMPARED:
        return None
    try:
        return (bool(_COMPARED[name](left, right)),)
    except TypeError:
        return None


def worked_out(name: str, left: tuple[object] | None, right: tuple[object] | None) -> tuple[object] | None:
    """What two numbers make: ``2**32 - 1``."""
    numbers = [each[0] for each in (left, right) if each is not None and isinstance(each[0], (int, float))]
    if name not in _MADE or len(numbers) != 2 or any(abs(each) > _LARGEST for each in numbers):  # noqa: PLR2004
        return None
    if name == "Pow" and not 0 <= numbers[1] <= _HIGHEST:
        return None
    try:
        return (_MADE[name](*numbers),)
    except (ArithmeticError, ValueError):
        return None


_CASTS: Mapping[str, Callable[[Any], object]] = {
    "builtins.int": int,
    "builtins.float": float,
    "builtins.bool": bool,
    "builtins.str": str,
}
_OF_TEXTS = ("lower", "upper", "strip")


def made_from(call: Call) -> Term | None:
    """What a call only makes into another kind of value, or into other letters: ``int(args.workers)``, ``mode.lower()``."""
    if call.kwargs:
        return None
    callee = call.callee
    if isinstance(callee, Ref) and callee.name in _CASTS and len(call.args) == 1:
        given: Term = call.args[0]
        return given
    if isinstance(callee, Attr) and callee.name in _OF_TEXTS and not call.args:
        base: Term = callee.base
        return base
    return None


def made(call: Call, value: tuple[object] | None) -> tuple[object] | None:
    """What comes out of such a call."""
    if value is None:
        return None
    callee = call.callee
    if isinstance(callee, Attr):
        return (getattr(value[0], callee.name)(),) if isinstance(value[0], str) else None
    assert isinstance(callee, Ref)
    try:
        return (_CASTS[callee.name](value[0]),)
    except (TypeError, ValueError, OverflowError):
        return None
