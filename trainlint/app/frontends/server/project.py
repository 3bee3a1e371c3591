"""A project as the server knows it: which one an open file belongs to, with which settings, and the engine that judges it.

The settings are those of its configuration under those of the client.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from trainlint.app.engine.add_ignores import commented
from trainlint.app.engine.baseline import Baseline, BaselineError
from trainlint.app.engine.driver import lines_in, repair
from trainlint.app.engine.incremental import Answer, Near, Standing, near_by
from trainlint.app.engine.project import MARKS, project_root
from trainlint.app.engine.resident import Resident, of_file
from trainlint.app.engine.result import Result
from trainlint.config import ConfigError, Overrides, Settings, common_start, find_settings
from trainlint.config.errors import Problem
from trainlint.finding import Finding
from trainlint.knowledge.checking import mistakes
from trainlint.regular import absolute_path
from trainlint.source.parse import is_python
from trainlint.source.text import Source, UnreadableSource


class Place(NamedTuple):
    """A project: its root, the folders that are searched for its files, and its settings."""

    root: Path
    folders: tuple[Path, ...]
    settings: Settings

    @property
    def key(self) -> tuple[Path, Path | None]:
        """What tells it from other projects, whatever its settings."""
        return self.root, self.settings.file


def place_of(path: str, workspace: Sequence[str], overrides: Overrides) -> Place:
    """The project of a file, which need not exist; ``workspace`` are the folders that are open in the editor.

    A file outside of every project and workspace belongs to the files beside it, or to its package. Raises ConfigError.
    """
    file = Path(path)
    settings = find_settings(common_start([file]), overrides, check_knowledge=mistakes)
    root = project_root(file)
    if (root / ".git").exists():
        return Place(root, (root,), settings)
    around = [Path(folder) for folder in workspace if file.is_relative_to(folder)]
    if around:
        root = max(around, key=lambda folder: len(folder.parts))
        return Place(root, (root,), settings)
    if any((root / mark).exists() for mark in MARKS):
        return Place(root, (root,), settings)
    top = file.parent
    while (top / "__init__.py").exists() and top.parent != top:
        top = top.parent
    inside = file.relative_to(top).parts
    if len(inside) > 1:
        return Place(top, (top / inside[0],), settings)
    return Place(top, tuple(sorted(top.glob("*.py"))), settings)


def overrides_of(given: object) -> Overrides:
    """What a client's settings say: options by their names (in either spelling), and ``config`` as on the command line.

    Raises ConfigError for what is not a table of options.
    """
    if given is None:
        return Overrides()
    if not isinstance(given, Mapping):
        raise ConfigError([Problem("the editor's settings", "", "they must be a table of options")])
    options = {_kebab(str(key)): value for key, value in given.items() if value is not None}
    config = options.pop("config", ())
    if isinstance(config, str):
        config = (config,) if config else ()
    if not isinstance(config, (list, tuple)) or not all(isinstance(each, str) for each in config):
        raise ConfigError([Problem("the editor's settings", "config", "it must be a string or a list of strings")])
    return Overrides(flags=options, config=tuple(os.path.expanduser(each) for each in config))  # noqa: PTH111


def settings_in(given: Any) -> object:
    """A client's settings in whatever it sent: they may stand under the name of the program or of ``settings``."""
    for name in ("settings", "trainlint"):
        if isinstance(given, Mapping) and set(given) == {name}:
            given = given[name]
    return given or None


def _kebab(name: str) -> str:
    """``extendSelect`` and ``extend_select`` as ``extend-select``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).replace("_", "-").lower()


NOTEBOOK = ".ipynb"
LinesOf = Callable[[str, "int | None"], Sequence[str]]


class Changed(NamedTuple):
    """The findings of a file, and how to get the lines of files that they speak of."""

    findings: list[Finding]
    lines_of: LinesOf


class _Known(NamedTuple):
    """What is known of open files since the project was judged: how they stood, and what was answered for them since.

    ``parsable`` are their last texts that could be parsed. ``notebooks`` are judged with the whole project only; each is here
    with its text and its findings. It is replaced as a whole, since another thread reads it.
    """

    standings: dict[str, Standing]
    answers: dict[str, Answer]
    parsable: dict[str, bytes]
    notebooks: dict[str, tuple[Near, bytes, list[Finding]]]


class Project:
    """Files by absolute path.

    :meth:`judge` belongs to one thread, and what is about a single file to another: they may run at the same time.
    """

    def __init__(self, root: Path, folders: Sequence[Path], settings: Settings) -> None:
        """Raises :class:`trainlint.knowledge.KnowledgeError`."""
        self.settings = replace(settings, jobs=1)  # a server does not fork
        self.resident = Resident(root, folders, self.settings)
        self._known = _Known({}, {}, {}, {})
        self._broken: set[str] = set()

    # -- the whole project -----------------------------------------------------------------------------------------

    def judge(self, buffers: Mapping[str, bytes], recent: Collection[str] = ()) -> dict[str, list[Finding]]:
        """Judge everything, with these files open. Returned are the findings by file: of all that are open, and of others.

        Others are reported when one of their related places lies in an open file. For the ``recent`` ones the next change is
        prepared. May raise :class:`trainlint.app.engine.resident.Stopped`; then nothing is known but what was known before.
        """
        # What does not parse just now says nothing about the others: they are judged with what it was before.
        parsable = {path: self._last_parsable(path, data) for path, data in buffers.items()}
        live = self.resident.live
        for path in live.replaced.keys() - parsable.keys():
            live.set_buffer(path, None)
        for path, data in parsable.items():
            if live.replaced.get(path) != data:
                live.set_buffer(path, data)
        findings = self._new(self.resident.whole(list(buffers)).findings)
        known = _Known({}, {}, parsable, {})
        for path, data in buffers.items():
            if path in live.targets and path.endswith(NOTEBOOK):
                known.notebooks[path] = near_by(self.resident, path), data, of_file(findings, path)
            elif path in live.targets:
                self._stand(path, data, findings, known)
        for path in known.standings.keys() & set(recent):
            known.standings[path].look()
        self._known = known
        found: dict[str, list[Finding]] = {path: self._now(path) for path in buffers}
        for finding in findings:
            path = absolute_path(finding.path)
            if path not in buffers:
                found.setdefault(path, []).append(finding)
        return found

    def _last_parsable(self, path: str, data: bytes) -> bytes:
        known = None if path.endswith(NOTEBOOK) else self._known.parsable.get(path)
        return data if known is None or known == data or is_python(data) else known

    def _stand(self, path: str, data: bytes, findings: Sequence[Finding], known: _Known) -> None:
        live = self.resident.live
        broken = path in live.troubles  # it never parsed, and that is all there is to say of it
        standing = known.standings[path] = Standing(self.resident, path, [] if broken else findings)
        if broken or data != live.replaced[path]:
            known.answers[path] = Answer(standing, data)
            known.answers[path].run()

    def lines(self, path: str, cell: int | None) -> Sequence[str]:
        """The lines of a file or cell after :meth:`judge`; of an open one those that its findings count from."""
        answer = self._known.answers.get(path)
        return lines_in(answer.workspace if answer is not None else self.resident.live)(Path(path), cell)

    # -- one file ----------------------------------------------------------------------------------------------------

    def change(self, path: str, data: bytes) -> Changed | None:
        """What is found in an open file after a change of its text; None when it was not judged yet.

        That a text does not parse is said only once it stays so (by :meth:`judge`): while somebody types, it often does not.
        """
        known = self._known
        standing = known.standings.get(path)
        if standing is None:
            return None
        answer = known.answers.get(path)
        if answer is None:
            answer = known.answers[path] = Answer(standing, data)
        else:
            answer.set_text(data)
        answer.run()
        trouble = answer.trouble
        if not trouble:
            known.parsable[path] = data
            self._broken.discard(path)
        findings = [*answer.findings, *(trouble if path in self._broken else ())]
        lines = lines_in(answer.workspace)
        return Changed(findings, lambda other, cell: lines(Path(other), cell))

    def _now(self, path: str) -> list[Finding]:
        """All that is to be said of an open file; from now on it is known that its text does not parse, if it does not."""
        if path in self._known.notebooks:
            return self._known.notebooks[path][2]
        answer, standing = self._known.answers.get(path), self._known.standings.get(path)
        if answer is None:
            self._broken.discard(path)
            return [] if standing is None else standing.findings
        trouble = answer.trouble
        (self._broken.add if trouble else self._broken.discard)(path)
        return [*answer.findings, *trouble]

    def knows(self, path: str) -> bool:
        """Whether :meth:`change` has an answer for this file."""
        return path in self._known.standings

    def repaired(self, path: str) -> str | None:
        """The text of an open file after all its safe repairs; None when there is none, or the file was not judged yet."""
        known = self._known
        if path in known.notebooks:
            return _repaired(*known.notebooks[path])
        standing, current = known.standings.get(path), known.answers.get(path)
        if standing is None or (current is not None and current.trouble):
            return None
        data = standing.data if current is None else current.workspace.replaced[path]
        answer = Answer(standing, data)
        repair(answer, answer.run(), unsafe=False, new=None, result=Result())
        source = answer.workspace.read(path)
        return source.text if source is not None and source.data != data else None

    def _new(self, findings: list[Finding]) -> list[Finding]:
        """The findings that the baseline of the configuration does not know."""
        if self.settings.baseline is None:
            return findings
        try:
            return Baseline.read(self.settings.root / self.settings.baseline).new(findings, lines_in(self.resident.live))
        except BaselineError:
            return findings


def _repaired(near: Near, data: bytes, findings: Sequence[Finding]) -> str | None:
    """The JSON of a notebook after the safe repairs of its findings; None when there is none."""

    def known(found: Sequence[Finding], lines: Callable[[Path, int | None], Sequence[str]]) -> list[Finding]:
        return [each for each in found if (each.code, _line(each, lines)) in wanted]

    near.set_text(data)
    begun = lines_in(near.workspace)
    wanted = {(each.code, _line(each, begun)) for each in findings}
    repair(near, near.run(), unsafe=False, new=known, result=Result())
    source = near.workspace.read(near.path)
    return source.text if source is not None and source.data != data else None


def _line(finding: Finding, lines: Callable[[Path, int | None], Sequence[str]]) -> str:
    return lines(finding.path, finding.cell)[finding.span.line - 1].strip()


def with_comment(path: Path, data: bytes, finding: Finding) -> str | None:
    """A file's text with a comment that suppresses the finding; None when no line can hold one."""
    try:
        source = Source.from_bytes(path, data)
        done = commented(source, [finding])
        return None if done is None else Source.from_bytes(path, done.data).text
    except UnreadableSource:
        return None
