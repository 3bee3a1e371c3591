"""The engine for programs that stay: one project kept in memory.

Of files that did not change nothing is read, parsed or lowered again: a second run costs the linking and the rules. In a large
project that is still too much for every keystroke; :mod:`trainlint.app.engine.incremental` is for those.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainlint.app.engine.analysis import Analyser, Interest, Progress
from trainlint.app.engine.cache import Cache
from trainlint.app.engine.cached_analyses import Around
from trainlint.app.engine.memory import MOST_GROUPS, MOST_MODELS, KeptModels, Memory, newest
from trainlint.app.engine.project import import_roots, options_of
from trainlint.app.engine.result import Analysis, Group
from trainlint.app.engine.session import LiveWorkspace
from trainlint.app.engine.workspace import Look
from trainlint.config import Settings
from trainlint.finding import Finding
from trainlint.knowledge import Knowledge, load_knowledge
from trainlint.knowledge.words import READ_SCRIPTS
from trainlint.program.imports import ModuleFinder, imported, module_of
from trainlint.program.program import Program
from trainlint.regular import absolute_path
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


class _Nothing(Cache):
    """Where nothing is kept."""

    def __init__(self) -> None:
        super().__init__(Path(), b"")

    def read_bytes(self, key: str, kind: str) -> bytes | None:
        """Nothing."""
        del key, kind
        return None


class _LastModels(KeptModels):
    """The last models of each file, as they are: nobody else is to read them."""

    def __init__(self) -> None:
        super().__init__(_Nothing(), "", {})
        self._last: dict[str, dict[str, Module]] = {}

    def at(self, digests: Mapping[str, str]) -> None:
        """The files hold this now."""
        self._digests = digests

    def model(self, path: str, digest: str) -> Module | None:
        """The model of a file when it held this; None when it is not known."""
        return self._last.get(path, {}).get(digest)

    def note(self, module: Module) -> None:
        """Keep a model that was made just now."""
        last = [each for each in self._last.get(module.path, {}).items() if each[0] != self._digests[module.path]]
        self._last[module.path] = dict([*last[1 - MOST_MODELS :], (self._digests[module.path], module)])


class LiveMemory(Memory):
    """What is known of the groups of a project that is kept in memory. Of single files nothing is remembered: they are there."""

    def __init__(self) -> None:
        super().__init__(_Nothing(), "", {}, Around("", scripts=False))
        self._last = _LastModels()
        self._models = self._last

    def at(self, digests: Mapping[str, str], around: Around) -> LiveMemory:
        """The same, for the files as they are now."""
        self._digests = digests
        self._around = around
        self._last.at(digests)
        self._groups = newest(self._groups)
        self._states = dict(list(self._states.items())[-MOST_GROUPS:])
        return self

    def looks(self) -> dict[str, Look]:
        """None: the workspace knows them."""
        return {}

    def imports(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """None: the models are there."""
        del paths
        return {}

    def reads_well(self, path: str) -> bool:
        """Not known: it may have changed."""
        del path
        return False

    def model(self, path: str) -> Module | None:
        """The model of a file that was so before."""
        return self._last.model(path, self._digests[path])


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
        self.checkpoint: Callable[[], None] = Program.checkpoint
        self.awake: dict[str, Module] = {}
        self.codes: list[str] = []
        self._folders = list(folders)
        self._known = LiveMemory()
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
        known = {absolute_path(path) for path in files}
        targets = [path for path in wanted if path in known or not os.path.exists(path)]  # noqa: PTH110
        self.live.set_files(targets, files)
        self._judged_last = [], {}
        top = min(self.roots, key=len, default="")
        around = Around(top, scripts=not READ_SCRIPTS.isdisjoint(self.interest.words))
        self.memory = self._known.at(self.live.stamps(), around)
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
    return [finding for finding in findings if absolute_path(finding.path) == path]
