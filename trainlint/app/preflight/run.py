"""From a path to its checklists: the project is analysed as in a check with all rules."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trainlint.app.engine.analysis import Analyser
from trainlint.app.engine.driver import lines_in
from trainlint.app.engine.project import context_files, discover, options_of
from trainlint.app.engine.result import no_lines
from trainlint.app.engine.workspace import Workspace
from trainlint.app.preflight.checklist import answers_of, places_of, with_findings
from trainlint.app.preflight.commands import Shown
from trainlint.app.preflight.instantiation.config_modules import named_modules
from trainlint.app.preflight.instantiation.targets import TARGET, named_by_files
from trainlint.app.preflight.jobs import Job, jobs
from trainlint.app.preflight.line import Item, Line, Verdict
from trainlint.app.preflight.lines.ranks import HANGS
from trainlint.app.preflight.running.dynamic_imports import texts
from trainlint.app.preflight.running.imports import added_folders, internal_paths
from trainlint.app.report.places import display_path
from trainlint.config import Settings
from trainlint.documents.document import lies_above
from trainlint.documents.shell import Command
from trainlint.finding import Finding
from trainlint.ir.sketch import Module
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program
from trainlint.regular import absolute_path
from trainlint.rules import registry
from trainlint.source.text import Source
from trainlint.source.triage import Telling

_NEED = "preflight"
#: Comments and blank lines, and a docstring.
_OPENING = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:[rR]?(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''))?")


@dataclass(frozen=True)
class LaunchLine:
    """A line that starts a job; ``path`` as it was spelled."""

    path: Path
    row: int
    text: str


@dataclass(frozen=True)
class Checklist:
    """The list of one job; ``path`` is its script as it was spelled, ``line`` the call that trains.

    ``findings`` are those in the files of the job that a check with the user's settings would report.
    """

    path: Path
    framework: str
    line: int
    is_distributed: bool | None
    launches: tuple[LaunchLine, ...]
    lines: tuple[tuple[Item, Line], ...]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """All checklists, what a check reports, and what could not be looked at (sentences).

    ``spelled`` has the paths of files, as the engine knows them, as the user wrote them; ``lines_of`` is that of
    :class:`trainlint.app.engine.result.Result`.
    """

    checklists: tuple[Checklist, ...]
    problems: tuple[str, ...]
    spelled: dict[str, Path]
    findings: tuple[Finding, ...] = ()
    lines_of: Callable[[Path, int | None], Sequence[str]] = no_lines
    files_checked: int = 0
    internal_errors: int = 0

    def without(self, names: frozenset[str]) -> Outcome:
        """The same without the lines of these names."""
        if not names:
            return self
        kept = (
            replace(each, lines=tuple((item, line) for item, line in each.lines if item.name not in names))
            for each in self.checklists
        )
        return replace(self, checklists=tuple(kept))

    @property
    def misses(self) -> bool:
        """Whether a line of any job is missing."""
        return any(line.verdict is Verdict.MISSING for each in self.checklists for _, line in each.lines)


@dataclass
class _Looked:
    """A job, and its lines before the findings are known."""

    job: Job
    lines: list[tuple[Item, Line]] = field(default_factory=list)


def preflight(paths: list[Path], settings: Settings) -> Outcome:
    """Look at the training scripts at or below some paths. Raises KnowledgeError for a user's tables that make no sense."""
    everything = replace(settings, codes=frozenset(registry.built()), per_file_ignores={})
    knowledge = load_knowledge(settings.knowledge)
    options = replace(options_of(everything), documents=True)
    discovery = discover(paths, options)
    context = context_files([*discovery.files, *discovery.documents], paths, everything)
    workspace = Workspace(discovery.files, context.files)
    # What lies on the way to a script belongs to its job, whether it was named or not.
    folders = {os.path.dirname(absolute_path(path)): absolute_path(path) for path in discovery.files}  # noqa: PTH120
    near = [path for path in context.documents if any(lies_above(absolute_path(path), one) for one in folders.values())]
    workspace.add_documents([*discovery.documents, *near], context.documents)
    problems = tuple(f"{path} {problem}" for path, problem in discovery.problems)
    if not discovery.files:
        return Outcome((), problems, dict(workspace.spelled))
    analyser = Analyser(workspace, everything, knowledge, context.roots)
    analyser.added = added_folders([*discovery.files, *_beside(discovery.files, context.files)])
    words = knowledge.tables["preflight.evidence"]
    finds = words["finds-by-name"]
    makers = {*words["makes-all-of-a-file"], *(name.partition(".")[0] for name in words["makes-by-target"])}

    def connecting(modules: Mapping[str, Module], finder: ModuleFinder) -> Mapping[str, list[str]]:
        """What files name in texts, and what YAML names for what they find."""
        found = texts(modules, finder)
        beside = (path for path in sorted(workspace.documents) if path.endswith((".yaml", ".yml")))
        read = [source.text for path in beside if (source := workspace.read(path)) is not None]
        for named in (named_by_files(modules, read, finds, makers), named_modules(modules, finder, read)):
            for path, more in named.items():
                found[path] = [*found.get(path, ()), *more]
        return found

    analyser.texts = connecting
    analyser.internal = internal_paths(discovery.files, [*discovery.files, *context.files], context.roots)
    analyser.links = {**context.links, **discovery.links}
    _look_at_more(analyser)
    found: list[_Looked] = []

    def look(program: Program) -> None:
        # Everything is asked while the program is there: nothing of it is kept when its rules have been asked.
        program.documents = analyser.documents or program.documents
        told = Shown(program, lambda path: _beginning(workspace.keep(path)))
        fresh = [_Looked(job) for job in jobs(program, workspace.targets, told.lines)]
        for each in fresh:
            each.lines = list(answers_of(each.job))
            # what is found in the files of a job is of the job, whether they were named or not
            analyser.kept = frozenset({*analyser.kept, *workspace.targets, *each.job.files})
        found.extend(fresh)

    analyser.observe = look
    analysis = analyser.run()
    # Of what is found beside the named files, only what makes ranks part is asked about: there "nothing differs" would be said.
    named = [each for each in analysis.findings if not workspace.targets.keys().isdisjoint(places_of(each))]
    beside = [each for each in analysis.findings if each.code in HANGS and each not in named]
    reported = tuple(sorted((each for each in named if _is_reported(each, settings)), key=lambda each: each.sort_key))
    found.sort(key=lambda each: str(workspace.spelled[each.job.path]))
    return Outcome(
        tuple(_checklist(each, named, beside, reported, workspace) for each in found),
        problems,
        dict(workspace.spelled),
        reported,
        lines_in(workspace),
        len(discovery.files),
        analysis.internal_errors,
    )


def _beginning(source: Source | None) -> str:
    """What stands in a script before its code: a docstring, comments."""
    opening = None if source is None else _OPENING.match(source.text)
    return "" if opening is None else opening.group()


def _beside(targets: Sequence[Path], others: Sequence[Path]) -> list[Path]:
    """The other files in the folders of the targets: ``_init_paths.py``."""
    folders = {absolute_path(path.parent) for path in targets}
    return [path for path in others if absolute_path(path.parent) in folders]


def _look_at_more(analyser: Analyser) -> None:
    """Wake the files, too, that no rule asks about: those with options, those with the loops of frameworks."""
    asked = analyser.interest
    words = analyser.knowledge.words(_NEED)
    table = analyser.knowledge.tables["preflight.evidence"]
    keys = [key.encode() for key in (*table["configuration-keys"], *table["asked-for"])]
    analyser.interest = asked._replace(
        words={**asked.words, _NEED: words},
        telling=Telling(asked.telling.wanted | words, analyser.knowledge.beside, *analyser.knowledge.loose()),
        asked=asked.asked | words,
        # files with classes that a configuration names, and with its values; which rule they are read for makes no difference
        reads={**asked.reads, **{code: have | {TARGET.encode(), *keys} for code, have in list(asked.reads.items())[:1]}},
    )


def _is_reported(finding: Finding, settings: Settings) -> bool:
    return settings.selected(finding.code, finding.path)


def _checklist(
    looked: _Looked, findings: list[Finding], beside: list[Finding], reported: Sequence[Finding], workspace: Workspace
) -> Checklist:
    job = looked.job
    launched = {each.document.path for each in job.launches}
    files = job.files.union(launched, *(each.files for each in job.others))
    return Checklist(
        workspace.spelled[job.path],
        job.framework,
        job.place.line,
        job.is_distributed,
        tuple(
            LaunchLine(
                workspace.spelled.get(each.document.path) or Path(display_path(Path(each.document.path))),
                each.command.spot.line,
                _text(each.command),
            )
            for each in job.launches
        ),
        tuple(with_findings(looked.lines, job, [*findings, *beside], beside)),
        tuple(each for each in reported if absolute_path(each.path) in files),
    )


def _text(command: Command) -> str:
    return " ".join(word.written for word in command.words)
