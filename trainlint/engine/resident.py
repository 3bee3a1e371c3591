"""The engine for programs that stay: one project kept in memory.

Of files that did not change nothing is read, parsed or lowered again: a second run costs the linking and the rules. In a large
project that is still too much for every keystroke; :mod:`trainlint.engine.incremental` is for those.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainlint.config import Settings
from trainlint.engine.analysis import Analyser, Interest, Progress
from trainlint.engine.project import import_roots, options_of
from trainlint.engine.result import Analysis, Group
from trainlint.engine.session import LiveWorkspace
from trainlint.finding import Finding
from trainlint.knowledge import Knowledge, load_knowledge
from trainlint.program.imports import ModuleFinder, imported, module_of
from trainlint.program.program import Program, go_on
from trainlint.source.discover import discover

if TYPE_CHECKING:
    from trainlint.ir.sketch import Module


class Stopped(BaseException):
    """The run was called off: its outcome is no longer asked for. No ``Exception``, or it would be taken for a rule's mistake."""


class Surroundings(NamedTuple):
    """What is needed to judge one file of a project with some others; none of it changes, whatever the project does.

    ``modules`` are those of the others, ``awake`` says whether the file was worth parsing when the project was judged.
    """

    settings: Settings
    knowledge: Knowledge
    roots: list[str]
    interest: Interest
    codes: list[str]
    finder: ModuleFinder
    spelled: dict[str, Path]
    replaced: dict[str, bytes]
    modules: dict[str, Module]
    awake: bool


class Resident(Analyser):
    """A project with its buffers. To be used by one thread at a time.

    ``folders`` are searched for the files of the project, imports start from ``root`` (and from what the settings name).
    ``checkpoint`` is asked between the steps of :meth:`whole`, and may raise :class:`Stopped`.
    """

    def __init__(self, root: Path, folders: Sequence[Path], settings: Settings) -> None:
        """Raises :class:`trainlint.knowledge.KnowledgeError` for a user's tables that make no sense."""
        knowledge = load_knowledge(settings.knowledge)
        self.live = LiveWorkspace(self.forget)
        super().__init__(self.live, settings, knowledge, import_roots([root], settings))
        self.checkpoint: Callable[[], None] = go_on
        self.awake: dict[str, Module] = {}
        self.codes: list[str] = []
        self._folders = list(folders)
        self._finder = ModuleFinder(frozenset(), [])
        self._judged_last: tuple[list[str], dict[str, Module]] = [], {}
        self._imports: dict[str, list[str]] = {}
        self._importers: dict[str, list[str]] = {}

    # -- the whole project -----------------------------------------------------------------------------------------

    def whole(self, wanted: Sequence[str]) -> Analysis:
        """Judge everything and report what concerns the wanted files, as far as they belong to the project.

        A file on disk that is left out of the project by its configuration is not reported on. May raise :class:`Stopped`.
        """
        self.checkpoint()
        options = options_of(self.settings)
        scripts = [Path(path) for path in wanted if not path.endswith(".py") and os.path.exists(path)]  # noqa: PTH110
        # In folders only names that end in .py are found; what is open is Python, whatever its name.
        files = [*discover(self._folders, options).files, *discover(scripts, replace(options, force_exclude=True)).files]
        known = {os.path.abspath(path) for path in files}  # noqa: PTH100 - links keep their names
        targets = [path for path in wanted if path in known or not os.path.exists(path)]  # noqa: PTH110
        self.live.set_files(targets, files)
        self._judged_last = [], {}
        analysis = self.run(lambda _done, _total, _what: self.checkpoint())
        self.codes, self.awake = self._judged_last  # not before: a run that is stopped leaves everything as it was
        self._link()
        return analysis

    def _program(self, modules: dict[str, Module], finder: ModuleFinder) -> Program:
        made = super()._program(modules, finder)
        made.checkpoint = self.checkpoint
        return made

    def _judge(self, groups: Sequence[Group], commented: list[str], done: Analysis, progress: Progress | None = None) -> None:
        paths = [path for group in groups for path in group.paths if path in self.modules]
        codes = {code for group in groups for code in group.codes}
        self._judged_last = sorted(codes), {path: self.modules[path] for path in paths}
        super()._judge(groups, commented, done, progress)

    def _modules_of(self, paths: list[str], before: int, total: int, progress: Progress | None) -> Iterator[tuple[str, Module]]:
        self.checkpoint()
        return super()._modules_of(paths, before, total, progress)

    def _link(self) -> None:
        self._imports = {path: self._imports_of(module) for path, module in self.awake.items()}
        self._importers = {}
        for path, targets in self._imports.items():
            for target in targets:
                self._importers.setdefault(target, []).append(path)

    def _imports_of(self, module: Module) -> list[str]:
        targets = dict.fromkeys(module_of(self._finder, module.path, dotted) for dotted in imported(module))
        return [target for target in targets if target is not None and target in self.awake and target != module.path]

    # -- one file ----------------------------------------------------------------------------------------------------

    def surroundings(self, path: str, others: Sequence[str]) -> Surroundings:
        """What is needed to judge a file with these others, as they are now."""
        modules = {other: self.awake[other] for other in others}
        return Surroundings(
            self.settings,
            self.knowledge,
            self.roots,
            self.interest,
            self.codes,
            self._finder,
            self.live.spelled,
            dict(self.live.replaced),
            modules,
            path in self.awake,
        )

    def around(self, path: str, budget: int) -> list[str]:
        """The files around a file, nearest first, what it imports before what imports it, up to ``budget`` bytes."""
        taken = {path: None}
        ring = [path]
        while ring:
            near = [there for here in ring for there in (*self._imports.get(here, ()), *self._importers.get(here, ()))]
            ring = []
            for there in near:
                size = 0 if there in taken else self._size(there)
                if there not in taken and size <= budget:
                    budget -= size
                    taken[there] = None
                    ring.append(there)
        return list(taken)[1:]

    def _size(self, path: str) -> int:
        data = self.live.replaced.get(path)
        if data is not None:
            return len(data)
        try:
            return os.stat(path).st_size  # noqa: PTH116
        except OSError:
            return 0


def of_file(findings: Sequence[Finding], path: str) -> list[Finding]:
    """The findings that stand in a file, given by its absolute path."""
    return [finding for finding in findings if os.path.abspath(finding.path) == path]  # noqa: PTH100
