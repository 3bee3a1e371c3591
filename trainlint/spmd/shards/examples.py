"""Example values for what nobody knows: how long a dataset is, which way an unknown test goes.

Whether ranks get equally many items is found out by computing: an unknown length is taken to be 1009, 1010, … and what each
rank is left with is counted. Lengths are long and other numbers are small, so that a limit (``min(n, limit)``) limits.
"""

from __future__ import annotations

from collections.abc import Hashable

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
