"""When a project is judged: near a file at each change of it, whole once the changes stop; both in threads."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import NamedTuple, TypeVar

from trainlint.app.engine.resident import Stopped
from trainlint.app.frontends.server.diagnostics import Shown, Teller
from trainlint.app.frontends.server.project import Project

_LOG = logging.getLogger(__name__)
_Result = TypeVar("_Result")

#: Seconds without a change before the whole project is judged: as long as that takes, between these two.
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.3, 5.0
#: Seconds to wait for more files to be opened or closed: an editor does that with many at its start.
_OPENING = 0.05
#: After how many answers without a pause what they have left behind is thrown away; each leaves about half a megabyte.
_UNTIDY = 40
#: How many of the files that were changed last are prepared for the next change.
_PREPARED = 2
#: Seconds after which everything is tidied up, also what is rarely garbage.
_IDLE = 60.0


class Buffer(NamedTuple):
    """An open file: what it holds, and the editor's number for that."""

    data: bytes
    version: int | None


class Threads(NamedTuple):
    """One thread for whole projects, and one for files: who types does not wait until a project is judged."""

    whole: Executor
    near: Executor


class Answered(NamedTuple):
    """What is shown of a file, and of which version of it (None: of the file on disk)."""

    shown: list[Shown]
    version: int | None


Publish = Callable[[str, Answered], None]


class Work:
    """The work on one project. All methods are called in the event loop's thread.

    ``publish`` is called there with the path of a file and what is to be shown of it from then on.
    """

    def __init__(self, project: Project, threads: Threads, teller: Teller, publish: Publish) -> None:
        self.project = project
        self.answers: dict[str, Answered] = {}
        self._threads = threads
        self._teller = teller
        self._publish = publish
        self._buffers: dict[str, Buffer] = {}
        self._changed: dict[str, None] = {}
        self._recent: dict[str, None] = {}
        self._due: float | None = None
        self._took = 0.0
        self._untidy = 0
        self._busy = False
        self._stop = threading.Event()
        self._some_changed = asyncio.Event()
        self._some_due = asyncio.Event()
        self._said = asyncio.Event()
        self._tasks = [asyncio.create_task(self._answering()), asyncio.create_task(self._judging())]
        project.resident.checkpoint = self._checkpoint

    # -- what happens outside --------------------------------------------------------------------------------------

    @property
    def open(self) -> frozenset[str]:
        """The open files."""
        return frozenset(self._buffers)

    def set(self, path: str, buffer: Buffer | None) -> None:
        """A file was opened or changed, or (None) closed."""
        opened = path not in self._buffers
        if buffer is None:
            for of_open in (self._buffers, self._changed, self._recent, self.answers):
                of_open.pop(path, None)
        else:
            self._buffers[path] = buffer
            self._recent.pop(path, None)
            self._recent[path] = None
        if buffer is None or opened:
            self._stop.set()
            self.judge_after(_OPENING)
            return
        self._changed[path] = None
        self._some_changed.set()
        if self.project.knows(path):  # otherwise only the run that is under way can answer
            self._stop.set()
        self.judge_after(min(max(self._took, _SHORTEST_PAUSE), _LONGEST_PAUSE))

    def judge_after(self, seconds: float) -> None:
        """Judge the whole project in a while; whatever was to be judged before then waits too."""
        self._due = time.monotonic() + seconds
        self._some_due.set()

    def end(self) -> None:
        """Give the project up."""
        self._stop.set()
        for task in self._tasks:
            task.cancel()

    async def current(self, path: str) -> Answered | None:
        """What is shown of an open file as it is now, once that is known; None for a file that is not open (any more)."""
        while path in self._buffers:
            answered = self.answers.get(path)
            if answered is not None and answered.version == self._buffers[path].version:
                return answered
            await self._said.wait()
        return None

    async def repaired(self, path: str) -> str | None:
        """The text of an open file after all its safe repairs (see :meth:`Project.repaired`)."""
        return await _run(self._threads.near, lambda: self.project.repaired(path))

    # -- near --------------------------------------------------------------------------------------------------------

    async def _answering(self) -> None:
        while True:
            await self._some_changed.wait()
            self._some_changed.clear()
            while self._changed:
                path = next(iter(self._changed))
                del self._changed[path]
                try:
                    await self._answer(path, self._buffers[path])
                except Exception:  # noqa: BLE001 - one run must not end the server
                    _LOG.exception("%s could not be judged", path)

    async def _answer(self, path: str, buffer: Buffer) -> None:
        def work() -> list[Shown] | None:
            changed = self.project.change(path, buffer.data)
            return None if changed is None else self._teller.shown(*changed)

        shown = await _run(self._threads.near, work)
        if shown is not None and path in self._buffers:
            self._tell(path, Answered(shown, buffer.version))
        self._untidy += 1
        if self._untidy >= _UNTIDY and not self._busy:
            self._untidy = 0
            await _run(self._threads.near, tidy)

    # -- whole -------------------------------------------------------------------------------------------------------

    async def _judging(self) -> None:
        while True:
            await self._until_due()
            try:
                await self._judge()
            except Exception:  # noqa: BLE001 - one run must not end the server
                _LOG.exception("the files could not be judged")

    async def _until_due(self) -> None:
        idle: float | None = _IDLE
        while self._due is None or self._due > time.monotonic():
            self._some_due.clear()
            patience = idle if self._due is None else self._due - time.monotonic()
            try:
                await asyncio.wait_for(self._some_due.wait(), patience)
            except asyncio.TimeoutError:  # the builtin one is another class before Python 3.11
                if self._due is None:
                    idle = None
                    await _run(self._threads.whole, tidy_thoroughly)

    async def _judge(self) -> None:
        self._due = None
        self._stop.clear()
        buffers = dict(self._buffers)
        recent = list(self._recent)[-_PREPARED:]
        begun = time.monotonic()

        def work() -> dict[str, list[Shown]]:
            found = self.project.judge({path: buffer.data for path, buffer in buffers.items()}, recent)
            return {path: self._teller.shown(findings, self.project.lines) for path, findings in found.items()}

        self._busy = True
        try:
            found = await _run(self._threads.whole, work)
        except Stopped:
            return  # what stopped it has also said when to try again
        finally:
            self._busy = False
        self._took = time.monotonic() - begun
        for path in [path for path in self.answers if path not in found]:
            self._tell(path, Answered([], None))
            del self.answers[path]
        for path, shown in found.items():
            self._told(path, shown, buffers.get(path))
        if not self._changed:  # or somebody would wait for it
            self._untidy = 0
            await _run(self._threads.whole, tidy)

    def _told(self, path: str, shown: list[Shown], judged: Buffer | None) -> None:
        now = self._buffers.get(path)
        if now is None or judged is None:
            if now is judged:
                self._tell(path, Answered(shown, None))
        elif now.version == judged.version:
            self._tell(path, Answered(shown, judged.version))
        else:  # it was changed meanwhile, and can be answered now
            self._changed[path] = None
            self._some_changed.set()

    def _tell(self, path: str, answered: Answered) -> None:
        self.answers[path] = answered
        self._publish(path, answered)
        self._said.set()
        self._said = asyncio.Event()

    def _checkpoint(self) -> None:
        if self._stop.is_set():
            raise Stopped


async def _run(thread: Executor, work: Callable[[], _Result]) -> _Result:
    return await asyncio.get_running_loop().run_in_executor(thread, work)


def tidy() -> None:
    """Free what a run has left behind, and freeze what it keeps: a project's memory would cost at every collection."""
    gc.collect()
    gc.freeze()


def tidy_thoroughly() -> None:
    """Free everything that can be freed."""
    gc.unfreeze()
    tidy()
