"""Numbers that may be unknown, what is computed with them, and example values for what nobody knows.

Examples are how long a dataset is, and which way an unknown test goes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator

from trainlint.ir.operators import COMPUTE

#: No loop over it ends.
ENDLESS = float("inf")
#: A number, or None when nothing is known of it.
Amount = int | float | None

OPERATE = {name: COMPUTE[name] for name in ("Add", "Sub", "Mult", "Div", "FloorDiv", "Mod")}
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


#: So many assignments are tried at least: their lengths leave every remainder by four. And so many at most.
_TURNS, _ENOUGH_TURNS = 6, 24
_SHORTEST, _APART = 1009, 136
_SMALLEST = 37


class Examples:
    """Assignments, one after the other, until each combination of what has one of several values was tried (or enough were).

    ``fixed`` are numbers that the assignments find out to stand for the number of ranks.
    """

    def __init__(self) -> None:
        self.fixed: dict[Hashable, int] = {}
        #: For each question with several answers after how many turns its answer changes: the digits of a number.
        self.strides: dict[Hashable, int] = {}
        self.combinations = 1

    def __iter__(self) -> Iterator[Example]:
        turn = 0
        while turn < max(_TURNS, min(self.combinations, _ENOUGH_TURNS)):
            yield Example(turn, self)
            turn += 1

    def stride(self, key: Hashable, count: int) -> int:
        """After how many turns a question with so many answers gets its next one."""
        if key not in self.strides:
            self.strides[key] = self.combinations if self.combinations * count <= _ENOUGH_TURNS else 1
            self.combinations *= count
        return self.strides[key]


class Example:
    """One assignment. The same question (``key``) has the same answer on every rank."""

    def __init__(self, turn: int, among: Examples) -> None:
        self.turn = turn
        self.among = among
        self.fixed = among.fixed
        #: What was assumed since this was emptied.
        self.assumed: set[Hashable] = set()
        self._sizes: dict[Hashable, int] = {}
        self._numbers: dict[Hashable, int] = {}
        #: Whether something had several values, of which another turn may pick others.
        self.open = False
        #: What is added to lengths and numbers: also where a combination comes again after four turns, another remainder.
        self._varied = turn + turn // 4

    def size(self, key: Hashable) -> int:
        """How many items an unknown collection has."""
        self.assumed.add(key)
        return self._sizes.setdefault(key, _SHORTEST + _APART * len(self._sizes) + self._varied)

    def number(self, key: Hashable) -> int:
        """An unknown number; the number of ranks where it was found to stand for that (``fixed``)."""
        if key in self.fixed:
            return self.fixed[key]
        self.assumed.add(key)
        return self._numbers.setdefault(key, _SMALLEST + 2 * len(self._numbers) + self._varied)

    def is_number(self, key: Hashable) -> bool:
        """Whether a question was for a number."""
        return key in self._numbers

    def pick(self, key: Hashable, count: int) -> int:
        """Which of several values something has: in the turns together each, with each of those of other questions."""
        if count == 1:
            return 0
        self.open = True
        return self.turn // self.among.stride(key, count) % count

    @property
    def is_last(self) -> bool:
        """Whether all combinations that are known of were tried."""
        return self.turn + 1 >= self.among.combinations

    @property
    def only_size(self) -> int | None:
        """The length that was assumed, when there was only one."""
        return next(iter(self._sizes.values())) if len(self._sizes) == 1 else None
