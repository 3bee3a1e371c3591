"""Running recursive code on a stack that is large enough for machine-written source.

A thread's stack is address space, not memory: only the pages that the recursion touches are ever paid for.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")

RECURSION_LIMIT = 50_000
"""Python frames (and levels of CPython's own recursion) that fit in the largest stack."""

_BYTES_A_FRAME = 10 * 1024
# Where address space is limited (ulimit -v, 32 bits), a smaller stack with fewer frames still beats the default.
_STACK_SIZES = (512 << 20, 128 << 20, 32 << 20)

_inside = threading.local()


def run_deep(function: Callable[[], _Result]) -> _Result:
    """Return ``function()``, run in a thread with a 512 MB stack and a recursion limit of 50,000.

    What the function raises is raised here. The recursion limit, which Python has only one of for all threads, is
    what it was again once the last such call has ended. A call from inside such a thread runs where it is.
    """
    if getattr(_inside, "deep", False):
        return function()
    results: list[_Result] = []
    failures: list[BaseException] = []

    def body() -> None:
        _inside.deep = True
        try:
            results.append(function())
        except BaseException as failure:  # noqa: BLE001 - it belongs to the caller, whatever it is
            failures.append(failure)

    thread, frames = _start(body)
    _limit.raise_to(frames)
    try:
        thread.start_gate.set()
        thread.join()
    finally:
        _limit.restore()
    if failures:
        try:
            raise failures[0]
        finally:
            failures.clear()  # the traceback holds this frame, and this frame must not hold the traceback
    return results.pop()


class _GatedThread(threading.Thread):
    """A thread that waits for its recursion limit before it runs."""

    def __init__(self, body: Callable[[], None]) -> None:
        super().__init__(name="trainlint-deep", daemon=True)  # Ctrl-C in the waiting thread must end the program
        self.start_gate = threading.Event()
        self._body = body

    def run(self) -> None:
        self.start_gate.wait()
        self._body()


def _start(body: Callable[[], None]) -> tuple[_GatedThread, int]:
    """Start ``body`` behind its gate on the largest stack that can be had; return it and the frames that fit."""
    failure: Exception | None = None
    for size in _STACK_SIZES:
        thread = _GatedThread(body)
        try:
            with _stack_size:
                usual_size = threading.stack_size(size)
                try:
                    thread.start()
                finally:
                    threading.stack_size(usual_size)
        except (ValueError, RuntimeError) as refused:  # the size is not allowed here; no room for such a stack
            failure = refused
            continue
        return thread, min(RECURSION_LIMIT, size // _BYTES_A_FRAME)
    raise MemoryError("no stack for a deep recursion can be had") from failure


class _RecursionLimit:
    """The interpreter's recursion limit, shared by the calls that run at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._usual = 0

    def raise_to(self, frames: int) -> None:
        with self._lock:
            if not self._running:
                self._usual = sys.getrecursionlimit()
            self._running += 1
            sys.setrecursionlimit(max(frames, sys.getrecursionlimit()))

    def restore(self) -> None:
        with self._lock:
            self._running -= 1
            if not self._running:
                sys.setrecursionlimit(self._usual)


_limit = _RecursionLimit()
_stack_size = threading.Lock()  # for the one size that all new threads get
