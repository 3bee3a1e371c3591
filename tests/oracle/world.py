"""Four ranks that run in lock-step: each on a thread of its own, one at a time, until it waits in a collective or ends.

Nothing depends on timing: a rank runs until it waits, then the next one does. When all wait or have ended, every group
whose members all wait in the same operation goes on. When none does, those who wait would wait for ever.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

RANKS = 4
LOCAL = 2
#: Collectives that one run of a program may complete; the generator writes no program that needs more.
_MOST_EVENTS = 600
_STACK = 64

Line = tuple[str, int]


class Abandoned(BaseException):
    """Raised in a rank that waits for ever, to end its thread."""


class Endless(Exception):
    """A program ran more collectives than any program here should."""


@dataclass
class Request:
    """A rank waits in an operation of a group, with what it hands in; ``result`` is what it will get."""

    group: tuple[int, ...]
    operation: str
    payload: Any
    result: Any = None


def _taken() -> threading.Lock:
    """A lock that somebody else will release: one runs at a time, and hands on to the other, tens of thousands of times."""
    lock = threading.Lock()
    lock.acquire()
    return lock


@dataclass
class Rank:
    """One rank: its thread's baton, what it waits for, how it ended."""

    number: int
    baton: threading.Lock = field(default_factory=_taken)
    job: Callable[[], None] | None = None
    request: Request | None = None
    ended: bool = True
    error: BaseException | None = None
    thread: int = 0
    trace: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    ``waits`` maps the ranks that wait for ever to group and operation; ``errors`` the ranks that died to their exception.
    ``lines`` are the places of those who wait, calls included. Of observed runs also: ``met``, the places of collectives that
    met at the end of the run although they stand in different places; ``aligned``, how many met in the same place since a
    pardon was given last; ``traces``, the lines each rank ran.
    """

    waits: dict[int, tuple[tuple[int, ...], str]]
    errors: dict[int, BaseException]
    lines: frozenset[Line] = frozenset()
    met: frozenset[Line] = frozenset()
    aligned: int = 0
    traces: tuple[tuple[Line, ...], ...] = ()
    stacks: dict[int, tuple[Line, ...]] = field(default_factory=dict)

    @property
    def hangs(self) -> bool:
        """Whether somebody waits for ever."""
        return bool(self.waits)


class World:
    """Runs one job on every rank. Its threads are used again for the next run."""

    def __init__(self) -> None:
        self.ranks = [Rank(number) for number in range(RANKS)]
        self._back = _taken()
        self._killed = False
        self._tracing = False
        self._events = 0
        self._prefix = ""
        self._observing = False
        self._met: list[frozenset[Line] | None] = []
        for rank in self.ranks:
            threading.Thread(target=self._serve, args=(rank,), daemon=True).start()

    # -- the ranks' side -------------------------------------------------------------------------------------------

    def _serve(self, rank: Rank) -> None:
        rank.thread = threading.get_ident()
        while True:
            rank.baton.acquire()
            assert rank.job is not None
            if self._tracing:
                sys.settrace(self._tracer(rank))
            try:
                rank.job()
            except BaseException as error:  # noqa: BLE001 - whatever ends a rank is told to the one who asked
                rank.error = error
            finally:
                sys.settrace(None)
            rank.ended = True
            self._back.release()

    def _tracer(self, rank: Rank) -> Callable[[FrameType, str, Any], Any]:
        prefix, trace = self._prefix, rank.trace

        def tracer(frame: FrameType, event: str, _: Any) -> Any:
            if not frame.f_code.co_filename.startswith(prefix):
                return None
            if event == "line":
                trace.append((frame.f_code.co_filename, frame.f_lineno))
            return tracer

        return tracer

    def meet(self, rank: int, group: tuple[int, ...], operation: str, payload: Any) -> Any:
        """Called by a rank: wait until all members of the group run this operation; what the operation gives it."""
        if self._killed:
            raise Abandoned
        own = self.ranks[rank]
        own.request = request = Request(group, operation, payload)
        self._back.release()
        own.baton.acquire()
        if self._killed:
            raise Abandoned
        return request.result

    # -- the other side --------------------------------------------------------------------------------------------

    def run(
        self,
        jobs: Sequence[Callable[[], None]],
        prefix: str,
        *,
        tracing: bool = False,
        pardons: Sequence[frozenset[int]] | None = None,
    ) -> Outcome:
        """Run one job on each rank to its end. ``prefix`` is how the names of the program's files begin.

        A run with ``pardons`` is observed: when nobody can go on, the ranks of the next pardon do, as if their collective
        were complete. So one learns what else is wrong behind the first mistake.
        """
        self._killed, self._tracing, self._events, self._prefix, self._met = False, tracing, 0, prefix, []
        self._observing = pardons is not None
        left = list(pardons or ())
        for rank, job in zip(self.ranks, jobs, strict=True):
            rank.job, rank.request, rank.ended, rank.error, rank.trace = job, None, False, None, []
        try:
            ready = list(self.ranks)
            while ready:
                for rank in ready:
                    rank.request = None
                    self._resume(rank)
                ready = self._release()
                if not ready and left:
                    ready = self._pardon(left.pop(0))
            waiting = [rank for rank in self.ranks if not rank.ended]
            return self._outcome(waiting)
        finally:
            self._killed = True
            for rank in self.ranks:
                while not rank.ended:
                    self._resume(rank)

    def _resume(self, rank: Rank) -> None:
        rank.baton.release()
        self._back.acquire()

    def _release(self) -> list[Rank]:
        """Let the groups go on that are complete; the ranks that are ready now."""
        ready: list[Rank] = []
        for group in sorted({rank.request.group for rank in self.ranks if not rank.ended and rank.request is not None}):
            members = [self.ranks[number] for number in group]
            requests = [member.request for member in members if not member.ended and member.request is not None]
            if (
                len(requests) < len(members)
                or any(r.group != group for r in requests)
                or len({r.operation for r in requests}) > 1
            ):
                continue
            self._events += 1
            if self._events > _MOST_EVENTS:
                raise Endless(f"more than {_MOST_EVENTS} collectives")
            if self._observing:
                self._note(members)
            payloads = {member.number: request.payload for member, request in zip(members, requests, strict=True)}
            for member, request in zip(members, requests, strict=True):
                request.result = payloads
                ready.append(member)
        return ready

    def _pardon(self, numbers: frozenset[int]) -> list[Rank]:
        """Let some of those who wait go on alone."""
        self._met.clear()
        pardoned = [rank for rank in self.ranks if rank.number in numbers and not rank.ended]
        for rank in pardoned:
            assert rank.request is not None
            rank.request.result = dict.fromkeys(rank.request.group, rank.request.payload)
        return pardoned

    def _stack(self, rank: Rank) -> list[Line]:
        """Where a rank that waits is in the program: the collective first, then its callers."""
        frame: FrameType | None = sys._current_frames().get(rank.thread)
        lines: list[Line] = []
        while frame is not None and len(lines) < _STACK:
            if frame.f_code.co_filename.startswith(self._prefix):
                lines.append((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        return lines

    def _note(self, members: Sequence[Rank]) -> None:
        stacks = [self._stack(member) for member in members]
        same = all(stack == stacks[0] for stack in stacks)
        self._met.append(None if same else frozenset(line for stack in stacks for line in stack))

    def _outcome(self, waiting: Sequence[Rank]) -> Outcome:
        waits = {rank.number: (rank.request.group, rank.request.operation) for rank in waiting if rank.request is not None}
        errors = {rank.number: rank.error for rank in self.ranks if rank.error is not None}
        stacks = {rank.number: tuple(self._stack(rank)) for rank in waiting}
        lines = frozenset(line for stack in stacks.values() for line in stack)
        met: set[Line] = set()
        for places in reversed(self._met):
            if places is None:
                break
            met |= places
        traces = tuple(tuple(rank.trace) for rank in self.ranks) if self._tracing else ()
        aligned = sum(places is None for places in self._met)
        return Outcome(waits, errors, lines, frozenset(met), aligned, traces, stacks)
