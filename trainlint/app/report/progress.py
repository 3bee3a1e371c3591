"""A progress bar on stderr, for runs that take longer than a second on a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID
    from typing_extensions import Self


class _Clock(Protocol):
    def __call__(self) -> float: ...


class ProgressBar:
    """Call it with (done, total, what) as often as you like; use it as a context manager, so that the bar is taken away.

    Nothing happens, and rich is not imported, before ``delay`` seconds have passed. ``clock`` gives seconds.
    """

    def __init__(self, *, delay: float = 1.0, clock: _Clock = time.monotonic) -> None:
        self._clock = clock
        self._begin_at = clock() + delay
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        """Nothing to do yet."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int, what: str) -> None:
        """Show that ``done`` of ``total`` files are through with ``what`` ("reading")."""
        if self._clock() < self._begin_at:
            return
        if self._bar is None:
            self._start()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, description=what)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeElapsedColumn())
        self._bar = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        self._task = self._bar.add_task("reading", total=None)
        self._bar.start()
