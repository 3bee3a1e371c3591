"""When a project is judged: near a file at each change of it, whole once the changes stop; one run at a time, in a thread."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import NamedTuple, TypeVar

from trainlint.engine.resident import Stopped
from trainlint.finding import Finding
from trainlint.frontends.server.diagnostics import Shown, Teller
from trainlint.frontends.server.project import Project

_LOG = logging.getLogger(__name__)
_Result = TypeVar("_Result")

#: Seconds without a change before the whole project is judged: as long as that takes, between these two.
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.3, 5.0


class Buffer(NamedTuple):
    """An open file: what it holds, and the editor's number for that."""

    data: bytes
    version: int | None


class Answered(NamedTuple):
    """What is shown of a file, and of which version of it (None: of the file on disk)."""

    shown: list[Shown]
    version: int | None


Publish = Callable[[str, Answered], None]


class Work:
    """The work on one project. All methods are called in the event loop's thread.

    ``publish`` is called there with the path of a file and what is to be shown of it from then on.
    """

    def __init__(self, project: Project, executor: Executor, teller: Teller, publish: Publish) -> None:
        self.project = project
        self.answers: dict[str, Answered] = {}
        self._executor = executor
        self._teller = teller
        self._publish = publish
        self._buffers: dict[str, Buffer] = {}
        self._changed: dict[str, None] = {}
        self._due: float | None = None
        self._took = 0.0
        self._whole = False
        self._stop = threading.Event()
        self._stir = asyncio.Event()
        self._done = asyncio.Event()
        self._task = asyncio.create_task(self._run())
        project.resident.checkpoint = self._checkpoint

    # -- what happens outside --------------------------------------------------------------------------------------

    @property
    def open(self) -> frozenset[str]:
        """The open files."""
        return frozenset(self._buffers)

    def set(self, path: str, buffer: Buffer | None) -> None:
        """A file was opened or changed, or (None) closed."""
        known = path in self._buffers
        if buffer is None:
            self._buffers.pop(path, None)
            self._changed.pop(path, None)
        else:
            self._buffers[path] = buffer
        if buffer is not None and known:
            self._changed[path] = None
            if self._whole and self.project.knows(path):
                self._stop.set()
            self.judge_after(min(max(self._took, _SHORTEST_PAUSE), _LONGEST_PAUSE))
        else:
            self.judge_after(0.0)

    def judge_after(self, seconds: float) -> None:
        """Judge the whole project in a while; whatever was to be judged before then waits too."""
        self._due = time.monotonic() + seconds
        self._stir.set()

    def end(self) -> None:
        """Give the project up."""
        self._stop.set()
        self._task.cancel()

    async def current(self, path: str) -> Answered | None:
        """What is shown of an open file as it is now, once that is known; None for a file that is not open (any more)."""
        while path in self._buffers:
            answered = self.answers.get(path)
            if answered is not None and answered.version == self._buffers[path].version:
                return answered
            await self._done.wait()
        return None

    async def repaired(self, path: str) -> str | None:
        """The text of an open file after all its safe repairs (see :meth:`Project.repaired`)."""
        if self._whole:  # somebody waits for this, and for that nobody does
            self._stop.set()
            self.judge_after(_SHORTEST_PAUSE)
        return await self._in_turn(lambda: self.project.repaired(path))

    async def _in_turn(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    # -- the work ----------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            await self._something_to_do()
            try:
                if self._changed:
                    await self._answer(next(iter(self._changed)))
                elif self._due is not None and self._due <= time.monotonic():
                    await self._judge()
            except Exception:  # noqa: BLE001 - one run must not end the server
                _LOG.exception("the files could not be judged")  # the next change may go well
            self._done.set()
            self._done = asyncio.Event()

    async def _something_to_do(self) -> None:
        self._stir.clear()
        if self._changed:
            return
        patience = None if self._due is None else max(self._due - time.monotonic(), 0.0)
        try:
            await asyncio.wait_for(self._stir.wait(), patience)
        except asyncio.TimeoutError:  # the builtin one is another class before Python 3.11
            return

    async def _answer(self, path: str) -> None:
        self._changed.pop(path)
        buffer = self._buffers[path]

        def work() -> list[Shown] | None:
            findings = self.project.change(path, buffer.data)
            return None if findings is None else self._shown(findings)

        shown = await self._in_turn(work)
        if shown is not None and path in self._buffers:
            self._tell(path, Answered(shown, buffer.version))
        if not self._changed:
            await self._in_turn(_tidy_lightly)

    async def _judge(self) -> None:
        self._due = None
        buffers = dict(self._buffers)
        self._stop.clear()
        self._whole = True
        begun = time.monotonic()

        def work() -> dict[str, list[Shown]]:
            found = self.project.judge({path: buffer.data for path, buffer in buffers.items()})
            return {path: self._shown(findings) for path, findings in found.items()}

        try:
            found = await self._in_turn(work)
        except Stopped:
            return  # what stopped it has also said when to try again
        finally:
            self._whole = False
        self._took = time.monotonic() - begun
        for path in [path for path in self.answers if path not in found]:
            self._tell(path, Answered([], None))
            del self.answers[path]
        for path, shown in found.items():
            now = self._buffers.get(path)
            before = buffers.get(path)
            if now is before or (now is not None and before is not None and now.version == before.version):
                self._tell(path, Answered(shown, before.version if before is not None else None))
            elif now is not None:
                self._changed[path] = None  # it was changed meanwhile, and can be answered now
        await self._in_turn(_tidy)

    def _shown(self, findings: Sequence[Finding]) -> list[Shown]:
        return self._teller.shown(findings, self.project.lines)

    def _tell(self, path: str, answered: Answered) -> None:
        self.answers[path] = answered
        self._publish(path, answered)

    def _checkpoint(self) -> None:
        if self._stop.is_set():
            raise Stopped


def _tidy_lightly() -> None:
    """Free what a run has left behind: what is kept is frozen, so that only young objects are looked at."""
    gc.collect()


def _tidy() -> None:
    """Free everything that can be freed, and freeze the rest: the memory of a project would cost at every collection."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
