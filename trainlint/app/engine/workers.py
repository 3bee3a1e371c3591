"""Where work is done that need not be done here: on an executor that somebody gives us, or in processes of our own.

Any :class:`concurrent.futures.Executor` will do (threads, processes, a Dask client's). What is handed to it are functions of our
modules with plain data or bytes, so that it may run them on another machine. It is never relied upon: what it refuses, or loses
with a worker that died, is done here instead. Each item has one result, in the order of the items.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

#: Beyond this many bytes to parse, other processes pay, if there are enough of them: what they send back costs half as
#: much as making it. Two processes are no faster than one, and take more CPU.
_PARALLEL_BYTES = 3_000_000
_FEWEST_WORKERS = 3
_MOST_WORKERS = 32
#: So many bytes of files go to a worker at once at least: less is not worth the way.
_SMALLEST_PART = 16_000
#: More shares of the rules than this repeat more of their common work than they save.
_MOST_SHARES = 4


class Workers:
    """An executor that was given, or up to ``jobs`` processes of our own, started when they are first worth it."""

    def __init__(self, executor: Executor | None = None, jobs: int | None = None) -> None:
        self._given = executor
        self._own: Executor | None = None
        self._count = min(jobs or os.cpu_count() or 1, _MOST_WORKERS)
        self._lost = False

    def parts(self, size: int) -> int:
        """Into how many parts work on files of so many bytes in all is divided; 0 when it is better done here."""
        if self._lost:
            return 0
        if self._given is not None:
            # Nobody says how many workers an executor has.
            return min(size // _SMALLEST_PART, _MOST_WORKERS * 8)
        return self._count * 8 if self._count >= _FEWEST_WORKERS and size >= _PARALLEL_BYTES else 0

    def shares(self, size: int) -> int:
        """Among how many given workers the rules are divided that judge files of so many bytes; 0 when it is done here."""
        return min(self.parts(size), _MOST_SHARES) if self._given is not None else 0

    def map(self, function: Callable[[_Item], _Result], items: Sequence[_Item]) -> Iterator[_Result]:
        """``function`` of each item, in their order. What it raises here is raised."""
        futures = self._submitted(function, items)
        try:
            for item, future in zip(items, futures, strict=True):
                yield self._result(function, item, future)
        finally:
            for future in futures:
                if future is not None:
                    future.cancel()

    def close(self) -> None:
        """End our own processes; they are started again when they are wanted again."""
        if self._own is not None:
            self._own.shutdown(cancel_futures=True)
            self._own = None

    def _submitted(self, function: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[Future[_Result] | None]:
        """What will be the results, None for those that nobody takes on."""
        futures: list[Future[_Result] | None] = []
        try:
            executor = self._executor()
            futures.extend(executor.submit(function, item) for item in items)  # what was taken on before it broke is in
        except Exception:  # noqa: BLE001 - shut down, broken, no process can be started: executors are other people's
            self._lost = True
        return futures + [None] * (len(items) - len(futures))

    def _executor(self) -> Executor:
        if self._given is not None:
            return self._given
        if self._own is None:
            from concurrent.futures import ProcessPoolExecutor

            self._own = ProcessPoolExecutor(self._count)
        return self._own

    def _result(self, function: Callable[[_Item], _Result], item: _Item, future: Future[_Result] | None) -> _Result:
        from concurrent.futures import BrokenExecutor

        if future is not None:
            try:
                return future.result()
            except BrokenExecutor:
                self._lost = True
            except Exception:  # noqa: BLE001, S110 - whatever became of it there, here it is done, or fails, for all to see
                pass
        return function(item)


def will_be_copied() -> bool:
    """Whether the processes that this one starts are copies of it (``fork``: the default on Linux before Python 3.14)."""
    import multiprocessing

    # The first of all methods is the default; asking for it outright would settle it for the linter, too.
    method = multiprocessing.get_start_method(allow_none=True) or multiprocessing.get_all_start_methods()[0]
    return multiprocessing.parent_process() is None and method == "fork"
