"""Time: what a run may take, and what it took.

A run with a deadline looks at the clock where it can be left without harm: between files, between rules, and within a rule
wherever that goes to another function or follows a call. Nothing that was going on then is kept.

A run that is measured notes the CPU time of each phase and each rule, less what others took that were asked meanwhile.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator


class TimeUp(BaseException):
    """The deadline has passed. No ``Exception``, or it would be taken for a rule's mistake."""


class Deadline:
    """The end of a number of seconds from now, as ``clock`` counts them."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    @property
    def left(self) -> float:
        """Seconds until then; 0 afterwards."""
        return max(0.0, self._end - self._clock())

    def check(self) -> None:
        """Raises :class:`TimeUp` when it has passed."""
        if self._clock() >= self._end:
            raise TimeUp


class Profile:
    """CPU seconds of this process by what they were spent on: the names of phases, the codes of rules."""

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self.spent: dict[str, float] = {"start": clock()}
        self._clock = clock
        self._now = "the rest"
        self._since = clock()

    @contextlib.contextmanager
    def of(self, name: str) -> Iterator[None]:
        """What is done within is this phase's, but for what other phases take within it."""
        outer = self._turn(name)
        try:
            yield
        finally:
            self._turn(outer)

    def end(self) -> list[tuple[str, float]]:
        """What was spent until now, most first. No more is noted."""
        if _Measured.by is self:
            _Measured.by = None
        self._turn(self._now)
        return sorted(self.spent.items(), key=lambda one: (-one[1], one[0]))

    def _turn(self, name: str) -> str:
        now = self._clock()
        self.spent[self._now] = self.spent.get(self._now, 0.0) + now - self._since
        before, self._now, self._since = self._now, name, now
        return before


class _Measured:
    """Who is told of phases in this process, if anybody is."""

    by: Profile | None = None


def measure() -> Profile:
    """Note from now on what phases take."""
    _Measured.by = Profile()
    return _Measured.by


def phase(name: str) -> contextlib.AbstractContextManager[None]:
    """What is done within belongs to this phase, or to the rule of this code; where nobody measures nothing is noted."""
    return _NOTHING if _Measured.by is None else _Measured.by.of(name)


_NOTHING = contextlib.nullcontext()
