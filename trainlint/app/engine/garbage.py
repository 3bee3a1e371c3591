"""When garbage is looked for: between runs and between rounds of repairs, and only when there may be much of it.

A run makes millions of small objects that live to its end; Python's collector would go through them again and again.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

#: So many objects more than at the last look are worth a look (about 60 MB).
_MANY = 500_000


class _Left:
    """How many objects the runs since the last look have left behind, living or not; Python's own count forgets them."""

    def __init__(self) -> None:
        self._count = 0
        self._looks = _looks()

    def add(self, count: int) -> None:
        """Of one more run."""
        self._count = self.count() + count
        self._looks = _looks()

    def count(self) -> int:
        """Since the last look, whosever it was."""
        return self._count if self._looks == _looks() else 0


def _looks() -> int:
    """How often all that there is was gone through, by Python or by somebody who told it to."""
    looks: int = gc.get_stats()[-1]["collections"]
    return looks


_left = _Left()


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """While this lasts no garbage is looked for; what the runs before have left is, if it is much."""
    collect_much()
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if not gc.get_freeze_count():
                # What is left counts as old, else it is all gone through at once: a seventh of the time of a cold scan.
                _left.add(gc.get_count()[0])
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def collect_much(times: int = 1) -> None:
    """Look for garbage, if there are many more objects than at the last look (so many ``times``), even where Python does not."""
    if _left.count() + gc.get_count()[0] > times * _MANY:
        gc.collect()
