"""Numbers that may be unknown, and what is computed with them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

#: No loop over it ends.
ENDLESS = float("inf")
#: A number, or None when nothing is known of it.
Amount = int | float | None

OPERATE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "FloorDiv": lambda a, b: a // b,
    "Mod": lambda a, b: a % b,
}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "Eq": lambda a, b: a == b,
    "NotEq": lambda a, b: a != b,
    "Lt": lambda a, b: a < b,
    "LtE": lambda a, b: a <= b,
    "Gt": lambda a, b: a > b,
    "GtE": lambda a, b: a >= b,
}
ROUND: dict[str, Callable[..., Amount]] = {
    "ceil": math.ceil,
    "floor": math.floor,
    "round": round,
    "abs": abs,
    "min": min,
    "max": max,
}
_MOST = 1e15


def operated(name: str, left: Amount, right: Amount) -> Amount:
    """What an operator makes of two numbers; None where that is no number, or a huge one."""
    if left is None or right is None or name not in OPERATE:
        return None
    try:
        result: Amount = OPERATE[name](left, right)
    except (ArithmeticError, ValueError):
        return None
    return result if result is not None and abs(result) < _MOST else None


def rounded(word: str, numbers: list[Amount]) -> Amount:
    """What a function makes of numbers, by its word in the table ``rounding``."""
    known = [number for number in numbers if number is not None]
    if len(known) != len(numbers):
        return None
    if word in ("min", "max"):
        return ROUND[word](known) if len(known) > 1 else None
    return ROUND[word](known[0])
