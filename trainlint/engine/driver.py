"""The engine's front door: check paths, perhaps repair them, and say what was found."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.codes import INSTALLED
from trainlint.config import Settings
from trainlint.engine.analysis import Analyser, Analysis
from trainlint.engine.project import context_files, discover, options_of
from trainlint.engine.result import FixMode, Result
from trainlint.engine.workspace import Workspace
from trainlint.finding import Applicability, Finding
from trainlint.knowledge import KnowledgeError, load_knowledge
from trainlint.rules import registry

if TYPE_CHECKING:
    from trainlint.facts.outside import Outside

#: Rounds of repairs: overlapping ones wait for the next; a repair that needs more than this does not settle.
_ROUNDS = 10
#: Further rounds for files whose repairs have to be tried one by one.
_SINGLE_ROUNDS = 30


def check(
    paths: Sequence[Path],
    settings: Settings,
    *,
    fix: FixMode = FixMode.NONE,
    unsafe: bool = False,
    stdin: tuple[bytes, Path] | None = None,
    progress: Callable[[int, int], None] | None = None,
    outside: Outside | None = None,
) -> Result:
    """Check files and folders, or the bytes of ``stdin`` under its name; see :class:`Result`.

    ``unsafe`` lets repairs of that kind be applied too. ``progress`` is told (files done, files in all). ``outside`` knows of
    libraries that the tables do not speak of.
    """
    collecting = gc.isenabled()
    gc.disable()  # a run makes millions of small objects that live to its end
    try:
        return _check(paths, settings, fix, unsafe, stdin, progress, outside)
    finally:
        if collecting:
            gc.enable()


def _check(
    paths: Sequence[Path],
    settings: Settings,
    fix: FixMode,
    unsafe: bool,
    stdin: tuple[bytes, Path] | None,
    progress: Callable[[int, int], None] | None,
    outside: Outside | None,
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
    result.checked = targets
    if not targets:
        return result
    context, roots = context_files(targets, paths, settings)
    workspace = Workspace(targets, context)
    if stdin is not None:
        workspace.replace(os.path.abspath(stdin[1]), stdin[0])  # noqa: PTH100
    analyser = Analyser(workspace, settings, knowledge, roots)
    analyser.outside = outside
    analysis = analyser.run(progress)
    if fix is not FixMode.NONE:
        analysis = _repair(analyser, analysis, unsafe, result)
        _deliver(workspace, fix, stdin, result)
    result.findings = analysis.findings
    result.statistics = analysis.statistics
    result.internal_errors = analysis.internal_errors
    result.lines_of = _lines_of(workspace)
    return result


def _inside(path: Path, paths: Sequence[Path]) -> bool:
    """Whether a problem concerns something below a given path (and not the path itself)."""
    return path not in paths


def _lines_of(workspace: Workspace) -> Callable[[Path, int | None], Sequence[str]]:
    def lines(path: Path, cell: int | None) -> Sequence[str]:
        source = workspace.keep(os.path.abspath(path))  # noqa: PTH100
        if source is None:
            return ()
        if source.notebook is None or cell is None:
            return source.lines
        start = source.notebook.line_of(cell, 1)
        if start is None:
            return ()
        return [line for number, line in enumerate(source.lines, 1) if (source.cell_of(number) or (0, 0))[0] == cell]

    return lines


# -- repairs ------------------------------------------------------------------------------------------------------------


def _repair(analyser: Analyser, analysis: Analysis, unsafe: bool, result: Result) -> Analysis:
    """Apply repairs in memory until none is left, analysing again after each round.

    A round that brings a finding which was not there before is taken back, and that file's repairs are tried one by one.
    """
    workspace = analyser.workspace
    refused: set[tuple[str, str, int]] = set()
    careful: set[str] = set()
    for _ in range(_ROUNDS + _SINGLE_ROUNDS):
        before = _known(analysis.findings, workspace)
        applied: dict[str, list[Finding]] = {}
        saved: dict[str, bytes] = {}
        for path, findings in _repairable(analysis.findings, unsafe, workspace).items():
            chosen = [f for f in findings if (path, f.code, f.span.line) not in refused]
            chosen = chosen[:1] if path in careful else chosen
            source = workspace.read(path) if chosen else None
            if source is not None and _apply(analyser, path, chosen, refused):
                workspace.originals.setdefault(path, source)
                applied[path], saved[path] = chosen, source.data
        if not applied:
            break
        internal = analysis.internal_errors
        after = analyser.run()
        worse = _worse(before, after.findings, workspace) & set(applied)
        for path in worse:
            workspace.replace(path, saved[path])
            analyser.forget(path)
            if len(applied[path]) == 1:
                refused.update((path, f.code, f.span.line) for f in applied[path])
            careful.add(path)
        for path in set(applied) - worse:
            _count(result, workspace.spelled[path], applied[path])
        analysis = analyser.run() if worse else after
        analysis.internal_errors += internal
    return analysis


def _known(findings: Sequence[Finding], workspace: Workspace) -> Counter[tuple[str, str, str]]:
    """Findings by file, rule and the text of their line: what survives when lines move."""
    known: Counter[tuple[str, str, str]] = Counter()
    for finding in findings:
        path = os.path.abspath(finding.path)  # noqa: PTH100
        source = workspace.keep(path)
        text = source.lines[finding.span.line - 1].strip() if source is not None and finding.cell is None else ""
        known[path, finding.code, text] += 1
    return known


def _worse(before: Counter[tuple[str, str, str]], findings: Sequence[Finding], workspace: Workspace) -> set[str]:
    """The files in which a finding stands that did not stand before."""
    return {path for (path, _, _), extra in (_known(findings, workspace) - before).items() if extra > 0}


def _count(result: Result, path: Path, findings: Sequence[Finding]) -> None:
    counts: Counter[tuple[str, str]] = Counter(result.fixed.get(path, {}))
    counts.update((f.code, f.name) for f in findings)
    result.fixed[path] = dict(counts)


def _repairable(findings: Sequence[Finding], unsafe: bool, workspace: Workspace) -> dict[str, list[Finding]]:
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        path = os.path.abspath(finding.path)  # noqa: PTH100
        if finding.repair is not None and finding.repair.applicability in allowed and path in workspace.targets:
            by_file.setdefault(path, []).append(finding)
    return by_file


def _apply(analyser: Analyser, path: str, findings: list[Finding], refused: set[tuple[str, str, int]]) -> bool:
    """Apply what does not overlap of the findings' repairs; what was not applied is taken out of ``findings``."""
    from trainlint.sites.apply import apply_edits, encode_like, select_non_overlapping
    from trainlint.sites.verify import verify

    workspace = analyser.workspace
    source = workspace.read(path)
    assert source is not None
    chosen, _ = select_non_overlapping([f.repair for f in findings if f.repair is not None])
    edits = [edit for repair in chosen for edit in repair.edits]
    text = apply_edits(source.code, edits)
    data = encode_like(source, text) if verify(source, text) else None
    if data is None or data == source.data:
        refused.update((path, f.code, f.span.line) for f in findings)
        return False
    workspace.replace(path, data)
    analyser.forget(path)
    findings[:] = [f for f in findings if any(f.repair is repair for repair in chosen)]
    return True


def _deliver(workspace: Workspace, fix: FixMode, stdin: tuple[bytes, Path] | None, result: Result) -> None:
    """Write the repaired files, or say what would change."""
    if stdin is not None and fix is FixMode.APPLY:
        result.stdin_output = workspace.replaced[os.path.abspath(stdin[1])]  # noqa: PTH100
        return
    for path, before in workspace.originals.items():
        spelled = workspace.spelled[path]
        if workspace.replaced.get(path, before.data) == before.data:
            continue  # everything was taken back
        if fix is FixMode.DIFF:
            after = workspace.read(path)
            assert after is not None
            result.diffs.append((spelled, before.text, after.text))
            continue
        from trainlint.sites.apply import write_atomically

        try:
            write_atomically(Path(path), workspace.replaced[path])
        except OSError as error:
            result.errors.append(f"{spelled} could not be written: {error.strerror or error}")
            result.fixed.pop(spelled, None)
