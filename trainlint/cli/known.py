"""Findings that are known already, and so are not reported: those of a baseline, and those of another revision."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.cli.output import note
from trainlint.config import Settings, common_start
from trainlint.engine.baseline import Baseline
from trainlint.engine.result import Result
from trainlint.engine.revision import Exported, RevisionError, exported
from trainlint.fingerprint import fingerprints

if TYPE_CHECKING:
    from trainlint.cli.run import Request


def write_baseline(path: Path, result: Result) -> None:
    """Remember what was found; nothing of it is left to report. Raises OSError."""
    baseline = Baseline(path)
    baseline.take(result.findings, result.lines_of)
    baseline.write()
    note(f"{len(baseline.known)} finding{'' if len(baseline.known) == 1 else 's'} written to {path}")
    result.findings.clear()


def leave_out_baseline(settings: Settings, result: Result, *, prune: bool) -> None:
    """Leave out the findings of the baseline in force; with ``prune`` forget the entries that are fixed.

    Raises :class:`trainlint.engine.baseline.BaselineError`, and OSError when a pruned baseline cannot be written.
    """
    if settings.baseline is None:
        return
    baseline = Baseline.read(settings.root / settings.baseline)
    if prune:
        gone = baseline.pruned(result.findings, result.checked, result.lines_of)
        if gone:
            baseline.write()
        note(f"{gone} fixed finding{'' if gone == 1 else 's'} taken out of {baseline.path}")
    result.findings = baseline.new(result.findings, result.lines_of)


def leave_out_revision(revision: str, request: Request, settings: Settings, result: Result) -> None:
    """Leave out the findings that were there at a git revision, wherever they stood in their file.

    Raises :class:`trainlint.engine.revision.RevisionError`.
    """
    if not result.findings:
        return
    with exported(revision, common_start(request.files)) as then:
        before = _marks_then(then, request.files, settings)
    now = fingerprints(result.findings, then.repository, result.lines_of)
    result.findings = [finding for finding, mark in zip(result.findings, now, strict=True) if mark not in before]


def _marks_then(then: Exported, files: Sequence[Path], settings: Settings) -> set[str]:
    from trainlint.engine import driver

    paths = [path for path in map(then.then, files) if path.exists()]
    if not paths:
        return set()
    result = driver.check(paths, dataclasses.replace(settings, root=_root_then(then, settings.root)))
    if result.errors or result.internal_errors:
        problem = "; ".join(result.errors) or "trainlint itself failed"
        raise RevisionError(f"the other revision could not be checked: {problem}")
    moved = [dataclasses.replace(finding, path=then.now(Path(os.path.abspath(finding.path)))) for finding in result.findings]  # noqa: PTH100
    marks = fingerprints(moved, then.repository, lambda path, cell: result.lines_of(then.then(path), cell))
    return set(marks)


def _root_then(then: Exported, root: Path) -> Path:
    """Where globs of the settings start from: the same folder of the other revision, if it belongs to the repository."""
    try:
        return then.then(root)
    except RevisionError:
        return root
