"""A project as the server knows it: what is open in it, and the engine that judges it. To be used by one thread at a time."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from trainlint.config import Settings
from trainlint.engine.adopting import commented
from trainlint.engine.baseline import Baseline, BaselineError
from trainlint.engine.driver import repair
from trainlint.engine.near import Answer, Standing
from trainlint.engine.resident import Resident, of_file
from trainlint.engine.result import Result
from trainlint.finding import Finding
from trainlint.source.text import Source, UnreadableSource


class Project:
    """Files by absolute path. Findings of an open file count from the text that was last set for it."""

    def __init__(self, root: Path, folders: Sequence[Path], settings: Settings) -> None:
        """Raises :class:`trainlint.knowledge.KnowledgeError`."""
        self.resident = Resident(root, folders, settings)
        self.settings = settings
        self._buffers: dict[str, bytes] = {}
        self._answers: dict[str, Answer] = {}
        self._parsable: dict[str, bytes] = {}
        self._broken: set[str] = set()

    def judge(self, buffers: Mapping[str, bytes]) -> dict[str, list[Finding]]:
        """Judge everything, with these files open. Returned are the findings by file: of all that are open, and of others.

        Others are reported when one of their related places lies in an open file. May raise
        :class:`trainlint.engine.resident.Stopped`; then nothing is known but what was known before.
        """
        for path in self._buffers.keys() - buffers.keys():
            self.resident.live.set_buffer(path, None)
            self._parsable.pop(path, None)
        self._buffers = dict(buffers)
        for path, data in buffers.items():
            # What does not parse just now says nothing about the others: they are judged with what it was before.
            if path not in self._parsable or _parses(data):
                self._parsable[path] = data
            if self.resident.live.replaced.get(path) != self._parsable[path]:
                self.resident.live.set_buffer(path, self._parsable[path])
        findings = self._new(self.resident.whole(list(buffers)).findings)
        answers = {path: self._standing(path, findings) for path in buffers if path in self.resident.live.targets}
        self._answers = answers
        found: dict[str, list[Finding]] = {path: self._now(path) for path in buffers}
        for finding in findings:
            path = os.path.abspath(finding.path)  # noqa: PTH100 - links keep their names
            if path not in buffers:
                found.setdefault(path, []).append(finding)
        return found

    def _standing(self, path: str, findings: Sequence[Finding]) -> Answer:
        broken = path in self.resident.live.troubles  # it never parsed, and that is all there is to say of it
        standing = Standing(self.resident, path, [] if broken else of_file(findings, path))
        answer = Answer(standing, self._buffers[path])
        if broken or self._buffers[path] != self._parsable[path]:
            answer.run()
        return answer

    def _now(self, path: str) -> list[Finding]:
        """All that is to be said of an open file; from now on it is known that its text does not parse, if it does not."""
        answer = self._answers.get(path)
        if answer is None:
            return []
        trouble = answer.trouble
        (self._broken.add if trouble else self._broken.discard)(path)
        return [*answer.findings, *trouble]

    def change(self, path: str, data: bytes) -> list[Finding] | None:
        """The findings of an open file after a change of its text; None when it was not judged yet.

        That a text does not parse is said only once it stays so (by :meth:`judge`): while somebody types, it often does not.
        """
        answer = self._answers.get(path)
        if answer is None:
            return None
        self._buffers[path] = data
        answer.set_text(data)
        answer.run()
        if answer.trouble and path not in self._broken:
            return answer.findings
        if not answer.trouble:
            self._parsable[path] = data
        return self._now(path)

    def knows(self, path: str) -> bool:
        """Whether :meth:`change` has an answer for this file."""
        return path in self._answers

    def repaired(self, path: str) -> str | None:
        """The text of an open file after all its safe repairs; None when there is none, or the file was not judged yet."""
        current = self._answers.get(path)
        if current is None or current.trouble:
            return None
        answer = Answer(current.standing, self._buffers[path])
        repair(answer, answer.run(), unsafe=False, new=None, result=Result())
        source = answer.workspace.read(path)
        return source.text if source is not None and source.data != self._buffers[path] else None

    def lines(self, path: str) -> Sequence[str]:
        """The lines of a file as the engine sees it; of an open one as it is now."""
        answer = self._answers.get(path)
        source = answer.workspace.read(path) if answer is not None else self.resident.live.keep(path)
        return source.lines if source is not None else ()

    def _new(self, findings: list[Finding]) -> list[Finding]:
        """The findings that the baseline of the configuration does not know."""
        if self.settings.baseline is None:
            return findings
        live = self.resident.live

        def lines_of(path: Path, _cell: int | None) -> Sequence[str]:
            source = live.keep(os.path.abspath(path))  # noqa: PTH100
            return source.lines if source is not None else ()

        try:
            return Baseline.read(self.settings.root / self.settings.baseline).new(findings, lines_of)
        except BaselineError:
            return findings


def with_comment(path: Path, data: bytes, finding: Finding) -> str | None:
    """A file's text with a comment that suppresses the finding; None when no line can hold one."""
    try:
        source = Source.from_bytes(path, data)
        done = commented(source, [finding])
        return None if done is None else Source.from_bytes(path, done.data).text
    except UnreadableSource:
        return None


def _parses(data: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
