"""Numbers that may be unknown, what is computed with them, and example values for what nobody knows.

Examples are how long a dataset is, and which way an unknown test goes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
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


#: So many assignments are tried. Their lengths leave every remainder by four.
TURNS = 6
_SHORTEST, _APART = 1009, 136
_SMALLEST = 37


class Example:
    """One assignment. The same question (``key``) has the same answer on every rank."""

    def __init__(self, turn: int, fixed: dict[Hashable, int]) -> None:
        self.turn = turn
        self.fixed = fixed
        #: What was assumed since this was emptied.
        self.assumed: set[Hashable] = set()
        self._sizes: dict[Hashable, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._picks: dict[Hashable, int] = {}

    def size(self, key: Hashable) -> int:
        """How many items an unknown collection has."""
        self.assumed.add(key)
        return self._sizes.setdefault(key, _SHORTEST + _APART * len(self._sizes) + self.turn)

    def number(self, key: Hashable) -> int:
        """An unknown number; the number of ranks where it was found to stand for that (``fixed``)."""
        if key in self.fixed:
            return self.fixed[key]
        self.assumed.add(key)
        return self._numbers.setdefault(key, _SMALLEST + 2 * len(self._numbers) + self.turn)

    def is_number(self, key: Hashable) -> bool:
        """Whether a question was for a number."""
        return key in self._numbers

    def pick(self, key: Hashable, count: int) -> int:
        """Which of several values something has; in as many turns as there are values each is picked once."""
        return (self._picks.setdefault(key, len(self._picks)) + self.turn) % count if count > 1 else 0

    @property
    def open(self) -> bool:
        """Whether something had several values, of which another turn may pick others."""
        return bool(self._picks)

    @property
    def only_size(self) -> int | None:
        """The length that was assumed, when there was only one."""
        return next(iter(self._sizes.values())) if len(self._sizes) == 1 else None
