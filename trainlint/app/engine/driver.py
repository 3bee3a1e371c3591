"""The engine's front door: check paths, perhaps repair them, and say what was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.app.engine.analysis import Analyser, Progress
from trainlint.app.engine.garbage import collect_much, uncollected
from trainlint.app.engine.project import context_files, discover, is_project, options_of, project_root
from trainlint.app.engine.result import Analysis, FixMode, Result
from trainlint.app.engine.workers import Workers
from trainlint.app.engine.workspace import Workspace
from trainlint.codes import INSTALLED
from trainlint.config import Settings
from trainlint.config.settings import COMMAND_LINE
from trainlint.finding import Applicability, Finding
from trainlint.knowledge import KnowledgeError, load_knowledge
from trainlint.regular import absolute_path
from trainlint.rules import registry

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from trainlint.app.engine.cache import Cache
    from trainlint.app.engine.revision import InPlace
    from trainlint.app.engine.session import Staying
    from trainlint.app.engine.timing import Deadline
    from trainlint.program.library_types import ExternalTypes
    from trainlint.source.text import Source

#: Rounds of repairs: overlapping ones wait for the next; a repair that needs more than this does not settle.
_ROUNDS = 10
#: Further rounds for files whose repairs have to be tried one by one.
_SINGLE_ROUNDS = 30
#: With fewer files than this, checking them takes no longer than to find out whether that was done; linters that others start
#: for each file have loaded less by then.
_FEWEST_KEPT = 20
#: How many findings there are, by file, rule and the text of their line.
_Counts = Counter[tuple[str, str, str]]
#: A finding whose repair could not be made: file, rule, cell, line.
_Refused = tuple[str, str, int | None, int]
#: Of some findings, with the lines of the files, those that are not known already.
New = Callable[[Sequence[Finding], Callable[[Path, int | None], Sequence[str]]], Sequence[Finding]]


def check(
    paths: Sequence[Path],
    settings: Settings,
    *,
    fix: FixMode = FixMode.NONE,
    unsafe: bool = False,
    stdin: tuple[bytes, Path] | None = None,
    progress: Progress | None = None,
    new: New | None = None,
    outside: ExternalTypes | None = None,
    kept_for: str | None = None,
    staying: Staying | None = None,
    executor: Executor | None = None,
    project: Path | None = None,
    deadline: Deadline | None = None,
    then: InPlace | None = None,
) -> Result:
    """Check files and folders, or the bytes of ``stdin`` under its name; see :class:`Result`.

    ``unsafe`` lets repairs of that kind be applied too. ``progress`` is told (files done, in all, with what). ``new`` says
    which of some findings are not known already, with the lines of the files (as ``Result.lines_of`` gives them): only those are
    repaired, or get comments. All are still in the result. ``outside`` knows of libraries that the tables do not speak of.
    With ``kept_for`` the analysis may come from the cache of the project, and is kept there; the text names what it depends
    on that is not seen here (what ``outside`` knows). ``staying`` is what the last check of the same paths has left behind.
    ``executor`` lowers and judges instead of processes of our own; what it loses, or does not take on, is done here.
    ``project`` is the absolute folder of the project, whatever lies above it (default: it is looked for). When
    the ``deadline`` has passed, the rest is left (``Result.unjudged``); it is not for runs that repair.
    ``then``: the files are to be checked as they were then.
    """
    with uncollected():
        return _check(
            paths, settings, fix, unsafe, stdin, progress, new, outside, kept_for, staying, executor, project, deadline, then
        )


def _check(
    paths: Sequence[Path],
    settings: Settings,
    fix: FixMode,
    unsafe: bool,
    stdin: tuple[bytes, Path] | None,
    progress: Progress | None,
    new: New | None,
    outside: ExternalTypes | None,
    kept_for: str | None,
    staying: Staying | None,
    executor: Executor | None,
    project: Path | None,
    deadline: Deadline | None,
    then: InPlace | None,
) -> Result:
    result = Result()
    try:
        knowledge = load_knowledge(settings.knowledge)
    except KnowledgeError as error:
        result.errors.append(str(error))
        return result
    result.problems = [*INSTALLED.problems, *knowledge.problems, *registry.unknown_needs(knowledge.words)]
    result.errors += result.problems
    if stdin is not None:
        paths = [stdin[1]]
        targets = [stdin[1]]
    else:
        discovery = discover(list(paths), options_of(settings))
        result.errors.extend(f"{path} {problem}" for path, problem in discovery.problems if not _inside(path, paths))
        targets = discovery.files
        unseen = [(path, problem) for path, problem in discovery.problems if _inside(path, paths)]
        result.errors.extend(f"{path} {problem}" for path, problem in unseen)
    beside = [] if stdin is not None else discovery.documents
    result.checked = targets or beside
    if not targets and not beside:
        return result
    context, roots, around, _ = context_files([*targets, *beside], paths, settings, project)
    if staying is not None:
        analyser = staying.analyser(targets, context, settings, knowledge, roots)
    else:
        analyser = Analyser(Workspace(targets, context), settings, knowledge, roots)
    workspace = analyser.workspace
    workspace.add_documents(beside, around)
    _hold(workspace, stdin, then)
    analyser.outside = outside
    analyser.deadline = deadline
    analyser.workers = Workers(executor, settings.jobs)
    if kept_for is None or fix is not FixMode.NONE:
        analysis = analyser.run(progress)
    else:
        analysis = _remembered(analyser, paths, progress, kept_for)
    if fix is FixMode.IGNORE:
        from trainlint.app.engine.add_ignores import add_ignores

        analysis = add_ignores(analyser, analysis, lambda found: _new(found, workspace, new), result)
        analysis = _deliver(analyser, analysis, FixMode.APPLY, stdin, result)
    elif fix is not FixMode.NONE:
        analysis = repair(analyser, analysis, unsafe, new, result)
        analysis = _deliver(analyser, analysis, fix, stdin, result)
    _take(result, analysis, analyser)
    if analysis.internal_errors and "TL005" not in settings.codes:
        result.errors.append("trainlint itself failed, and findings are missing: select TL005 to see where")
    result.lines_of = lines_in(workspace)
    if any(_in_notebook(finding) for finding in result.findings):
        from trainlint.app.engine.workspace import NotebookPlaces

        result.in_file = NotebookPlaces(workspace)
    return result


def _hold(workspace: Workspace, stdin: tuple[bytes, Path] | None, then: InPlace | None) -> None:
    """Let files hold something else than on disk."""
    if stdin is not None:
        workspace.replace(absolute_path(stdin[1]), stdin[0])
    if then is not None:
        workspace.set_back(then.files, then.changed)


def _take(result: Result, analysis: Analysis, analyser: Analyser) -> None:
    """What an analysis came to."""
    result.findings = analysis.findings
    result.statistics = analysis.statistics
    result.internal_errors = analysis.internal_errors
    result.unjudged = sorted(analysis.unjudged)
    result.goes_on = analyser.memory is not None and analyser.memory.has_news


def _remembered(analyser: Analyser, paths: Sequence[Path], progress: Progress | None, kept_for: str) -> Analysis:
    """An analysis from the cache of the project that the first path is in, or one that is kept there."""
    enough = bool(kept_for) or len(analyser.workspace.spelled) >= _FEWEST_KEPT
    cache = cache_of(paths[0], analyser.settings) if enough else None
    if cache is None:
        return analyser.run(progress)
    from trainlint.app.engine.cached_analyses import remembered

    return remembered(cache, analyser, kept_for, lambda: analyser.run(progress))


def cache_of(path: Path, settings: Settings, *, make: bool = True) -> Cache | None:
    """The cache of the project that a path is in; None where nothing is kept. ``make``: if it is not there yet it may be made."""
    root = project_root(path)
    if not is_project(root):
        return None
    from trainlint.app.engine.cache import cache_in, folder_for

    named, given = settings.folder_of("cache-dir"), settings.origins.get("cache-dir") == COMMAND_LINE
    folder = folder_for(root, named, settings.cache_dir, given=given)
    return cache_in(folder) if folder is not None and (make or folder.is_dir()) else None


def _in_notebook(finding: Finding) -> bool:
    return finding.cell is not None or any(place.cell is not None for place in finding.related)


def _inside(path: Path, paths: Sequence[Path]) -> bool:
    """Whether a problem concerns something below a given path (and not the path itself)."""
    return path not in paths


def lines_in(workspace: Workspace) -> Callable[[Path, int | None], Sequence[str]]:
    """The function that ``Result.lines_of`` is, for the files of a workspace."""

    def lines(path: Path, cell: int | None) -> Sequence[str]:
        source = workspace.keep(absolute_path(path))
        if source is None:
            return ()
        if source.notebook is None:
            return source.lines
        if cell is None:
            return re.split(r"\r\n?|\n", source.text)
        place = next((place for place in source.notebook.cells if place.number == cell), None)
        return () if place is None else source.lines[place.first_line - 1 : place.first_line - 1 + place.line_count]

    return lines


# -- repairs ------------------------------------------------------------------------------------------------------------


def _new(findings: Sequence[Finding], workspace: Workspace, new: New | None) -> Sequence[Finding]:
    return findings if new is None else new(findings, lines_in(workspace))


def repair(analyser: Analyser, analysis: Analysis, unsafe: bool, new: New | None, result: Result) -> Analysis:
    """Apply repairs in memory until none is left, analysing again after each round.

    A round that brings a finding which was not there before is taken back, and that file's repairs are tried one by one. What
    is refused so is tried once more at the end if its file has changed since: another run would do no less.
    """
    workspace = analyser.workspace
    refused: dict[_Refused, int] = {}
    changed: dict[str, int] = {}
    careful: set[str] = set()
    for turn in range(_ROUNDS + _SINGLE_ROUNDS):
        before = _known(analysis.findings, workspace)
        applied: dict[str, list[Finding]] = {}
        saved: dict[str, bytes] = {}
        candidates = _new(analysis.findings, workspace, new)
        for path, findings in _repairable(candidates, unsafe, workspace).items():
            chosen = [f for f in findings if _refusal(path, f) not in refused]
            chosen = chosen[:1] if path in careful else chosen
            source = workspace.read(path) if chosen else None
            if source is not None and _apply(analyser, path, chosen, refused, turn):
                workspace.originals.setdefault(path, source)
                applied[path], saved[path] = chosen, source.data
        if not applied:
            again = [each for each, since in refused.items() if changed.get(each[0], -1) > since]
            if not again:
                break
            for each in again:
                del refused[each]
            continue
        internal = analysis.internal_errors
        collect_much()  # the analysis of the round before
        after = analyser.run()
        worse = _worse(before, _known(after.findings, workspace), applied)
        for path in worse:
            workspace.replace(path, saved[path])
            analyser.forget(path)
            if len(applied[path]) == 1:
                refused.update((_refusal(path, f), turn) for f in applied[path])
            careful.add(path)
        for path in set(applied) - worse:
            changed[path] = turn
            _count(result, workspace.spelled[path], applied[path])
        analysis = analyser.run() if worse else after
        analysis.internal_errors += internal
    if new is not None:
        ours = {id(finding) for finding in _new(analysis.findings, workspace, new)}
        known = [finding for finding in analysis.findings if id(finding) not in ours]
        result.spared = sum(map(len, _repairable(known, unsafe, workspace).values()))
    return analysis


def _known(findings: Sequence[Finding], workspace: Workspace) -> _Counts:
    """Findings by file, rule and the text of their line: what survives when lines move."""
    known: _Counts = Counter()
    lines_of = lines_in(workspace)
    for finding in findings:
        path = absolute_path(finding.path)
        lines = lines_of(finding.path, finding.cell)
        text = lines[finding.span.line - 1].strip() if finding.span.line <= len(lines) else ""
        known[path, finding.code, text] += 1
    return known


def _worse(before: _Counts, after: _Counts, applied: Mapping[str, Sequence[Finding]]) -> set[str]:
    """The repaired files in which a finding stands that did not stand before.

    A finding in a line that a repair has changed is the one that stood there, if there are no more of its rule than are left
    when those that were repaired are gone.
    """
    worse = set()
    for path, code, _ in after - before:
        if path in applied and path not in worse:
            left, had = (sum(n for (p, c, _), n in known.items() if (p, c) == (path, code)) for known in (after, before))
            if left > had - sum(finding.code == code for finding in applied[path]):
                worse.add(path)
    return worse


def _count(result: Result, path: Path, findings: Sequence[Finding]) -> None:
    counts: Counter[tuple[str, str]] = Counter(result.fixed.get(path, {}))
    counts.update((f.code, f.name) for f in findings)
    result.fixed[path] = dict(counts)


def _repairable(findings: Sequence[Finding], unsafe: bool, workspace: Workspace) -> dict[str, list[Finding]]:
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        path = absolute_path(finding.path)
        if finding.repair is not None and finding.repair.applicability in allowed and path in workspace.targets:
            by_file.setdefault(path, []).append(finding)
    return by_file


def _refusal(path: str, finding: Finding) -> _Refused:
    return path, finding.code, finding.cell, finding.span.line


def _apply(analyser: Analyser, path: str, findings: list[Finding], refused: dict[_Refused, int], turn: int) -> bool:
    """Apply what does not overlap of the findings' repairs; what was not applied is taken out of ``findings``."""
    from trainlint.edits.apply import select_non_overlapping
    from trainlint.edits.notebooks import in_code, repaired

    workspace = analyser.workspace
    source = workspace.read(path)
    assert source is not None
    repairs = [(finding, in_code(source, finding.repair)) for finding in findings if finding.repair is not None]
    chosen, _ = select_non_overlapping([repair for _, repair in repairs])
    changes = [edit for repair in chosen for edit in repair.edits]
    if path in workspace.documents:
        from trainlint.app.engine import documents

        data = documents.repaired(source, changes)
    else:
        data = repaired(source, changes)
    if data is None or data == source.data:
        refused.update((_refusal(path, f), turn) for f in findings)
        return False
    workspace.replace(path, data)
    analyser.forget(path)
    findings[:] = [finding for finding, repair in repairs if any(repair is one for one in chosen)]
    return True


def _deliver(analyser: Analyser, analysis: Analysis, fix: FixMode, stdin: tuple[bytes, Path] | None, result: Result) -> Analysis:
    """Write the repaired files, or say what would change; the analysis of what is there then."""
    workspace = analyser.workspace
    if stdin is not None and fix is FixMode.APPLY:
        result.stdin_output = workspace.replaced[absolute_path(stdin[1])]
        return analysis
    failed = [path for path, before in workspace.originals.items() if not _delivered(workspace, path, before, fix, result)]
    for path in failed:
        workspace.restore(path)
        analyser.forget(path)
    return analyser.run() if failed else analysis


def _delivered(workspace: Workspace, path: str, before: Source, fix: FixMode, result: Result) -> bool:
    """Write one file (or say what would change); False when it could not be written."""
    spelled = workspace.spelled[path]
    if workspace.replaced.get(path, before.data) == before.data:
        return True  # everything was taken back
    if fix is FixMode.DIFF:
        after = workspace.read(path)
        assert after is not None
        result.diffs.append((spelled, before.text, after.text))
        return True
    from trainlint.edits.writing import write_atomically

    try:
        write_atomically(Path(path), workspace.replaced[path], before.data)
    except OSError as error:
        result.errors.append(f"{spelled} could not be written: {error.strerror or error}")
        result.fixed.pop(spelled, None)
        return False
    return True
