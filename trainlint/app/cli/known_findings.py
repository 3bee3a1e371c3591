"""Findings that are known already, and so are neither reported nor repaired: those of a baseline, those of another revision."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.app.cli.output import Failure, note
from trainlint.app.engine.baseline import Baseline, BaselineError
from trainlint.app.engine.project import project_root
from trainlint.app.engine.result import Result
from trainlint.app.engine.revision import Exported, InPlace, Revision, RevisionError, exported, in_place, resolved
from trainlint.config import Settings, common_start
from trainlint.config.settings import COMMAND_LINE
from trainlint.finding import Finding, Level
from trainlint.fingerprint import LinesOf, fingerprints
from trainlint.regular import absolute_path

if TYPE_CHECKING:
    from trainlint.app.cli.run import Request


_LAST_COMMIT = "HEAD"


def as_note(finding: Finding, checked: Sequence[Path]) -> Finding:
    """A finding of :meth:`Known.older` with the reason why it is shown: which of its places is in a checked file."""
    asked = {absolute_path(path) for path in checked}
    reason = next((place.path for place in finding.related if absolute_path(place.path) in asked), None)
    headline, *rest = finding.message.split("\n")
    if reason is not None:
        headline += f" (older; shown because `{reason.name}` changed)"
    return dataclasses.replace(finding, level=Level.ADVICE, message="\n".join([headline, *rest]))


def write_baseline(path: Path, result: Result) -> None:
    """Remember what was found; nothing of it is left to report. Raises :class:`trainlint.app.cli.output.Failure`."""
    baseline = Baseline(path)
    baseline.take(result.findings, result.lines_of)
    _write(baseline)
    note(f"{len(baseline.known)} finding{'' if len(baseline.known) == 1 else 's'} written to {path}")
    result.findings.clear()


class Known:
    """What is known already by the baseline in force, and by the revision that was asked for."""

    def __init__(self, request: Request, settings: Settings) -> None:
        """Read the baseline. Raises :class:`trainlint.app.cli.output.Failure` when it is none."""
        self._request = request
        self._settings = settings
        self._baseline: Baseline | None = None
        self._then: tuple[set[str], Path] | None = None
        if settings.baseline is not None and request.write_baseline is None:
            path = settings.root / settings.baseline
            if settings.origins.get("baseline") != COMMAND_LINE and not _is_below(path, settings.folder_of("baseline")):
                # What stands in a repository may have been written by anybody; a command line is the user's own.
                raise Failure(f"the configuration names a baseline outside of its folder: {path}; --baseline may do that")
            try:
                self._baseline = Baseline.read(path)
            except BaselineError as error:
                raise Failure(str(error)) from None

    def new(self, findings: Sequence[Finding], lines_of: LinesOf) -> list[Finding]:
        """The findings that are not known. Raises :class:`trainlint.app.cli.output.Failure` for a revision that cannot be had."""
        found = list(findings)
        if self._baseline is not None:
            found = self._baseline.new(found, lines_of)
        if self._request.diff_base is None or not found:
            return found
        before, repository = self._marks_then(self._request.diff_base)
        # Of all, not of those that are left: equal ones are told apart by their number.
        now = zip(findings, fingerprints(findings, repository, lines_of), strict=True)
        there_then = {id(finding) for finding, mark in now if mark in before}
        return [finding for finding in found if id(finding) not in there_then]

    def older(self, findings: Sequence[Finding], checked: Sequence[Path], lines_of: LinesOf) -> list[Finding]:
        """Those that stand in files that were not ``checked``, and stood there at the last commit.

        They are findings because a place of theirs is in a checked file. None where there is no last commit.
        """
        asked = {absolute_path(path) for path in checked}
        outside = {id(finding) for finding in findings if absolute_path(finding.path) not in asked}
        if not outside:
            return []
        try:
            before, repository = self._marks_then(_LAST_COMMIT)
        except Failure:  # no repository, or one without a commit: all is new
            return []
        marks = fingerprints(findings, repository, lines_of)
        return [finding for finding, mark in zip(findings, marks, strict=True) if id(finding) in outside and mark in before]

    def prune(self, result: Result) -> None:
        """Forget the entries of the baseline that are fixed, and say how many.

        Raises :class:`trainlint.app.cli.output.Failure`.
        """
        baseline = self._baseline
        if baseline is None:
            return
        gone = baseline.pruned(result.findings, result.checked, result.lines_of)
        if gone:
            _write(baseline)
        note(f"{gone} fixed finding{'' if gone == 1 else 's'} taken out of {baseline.path}")

    def _marks_then(self, revision: str) -> tuple[set[str], Path]:
        """The fingerprints of what was found at the revision, and the repository, from which their files are named."""
        if self._then is None:
            try:
                there = resolved(revision, common_start(self._request.files))
                self._then = (self._marks_at(there), there.repository)
            except RevisionError as error:
                raise Failure(str(error)) from None
        return self._then

    def _marks_at(self, revision: Revision) -> set[str]:
        """Those marks: they are kept, since a commit stays what it is."""
        from trainlint.app.engine.cached_analyses import key_for, surroundings
        from trainlint.app.engine.driver import cache_of

        files = [absolute_path(file) for file in self._request.files]
        about = surroundings(self._settings, [], f"{revision.commit} {revision.repository}")
        key = key_for([about, sorted(revision.renamed.items()), files])
        cache = None if self._request.no_cache else cache_of(self._request.files[0], self._settings, make=False)
        kept = cache.read(key) if cache is not None else None
        if isinstance(kept, list) and all(isinstance(mark, str) for mark in kept):
            return set(kept)
        before = in_place(revision) if cache is not None and self._is_inside(revision.repository) else None
        if before is not None:
            marks = _marks_in_place(before, revision.repository, self._request.files, self._settings)
        else:
            with exported(revision) as then:
                marks = _marks(then, self._request.files, self._settings)
        if cache is not None:
            cache.write(key, sorted(marks))
        return marks

    def _is_inside(self, repository: Path) -> bool:
        """Whether the last commit is asked for, and all that is looked at lies in the repository, spelled as that is."""
        top = absolute_path(repository)
        return self._request.diff_base is None and all(project_root(file).is_relative_to(top) for file in self._request.files)


def _is_below(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _write(baseline: Baseline) -> None:
    try:
        baseline.write()
    except OSError as error:
        raise Failure(f"the baseline cannot be written: {error.strerror or error}") from None


def _marks(then: Exported, files: Sequence[Path], settings: Settings) -> set[str]:
    from trainlint.app.engine import driver

    paths = [path for path in map(then.then, files) if path.exists()]
    if not paths:
        return set()
    result = driver.check(paths, dataclasses.replace(settings, root=_root_then(then, settings.root)))
    moved = [dataclasses.replace(finding, path=then.now(Path(absolute_path(finding.path)))) for finding in result.findings]
    lines_of = result.lines_of
    return _marks_of(
        dataclasses.replace(result, findings=moved, lines_of=lambda path, cell: lines_of(then.then(path), cell)), then.repository
    )


def _marks_of(result: Result, repository: Path) -> set[str]:
    """The fingerprints of what was found then. Raises :class:`trainlint.app.engine.revision.RevisionError`."""
    if result.errors or result.internal_errors:
        problem = "; ".join(result.errors) or "trainlint itself failed"
        raise RevisionError(f"the other revision could not be checked: {problem}")
    return set(fingerprints(result.findings, repository, result.lines_of))


def _marks_in_place(then: InPlace, repository: Path, files: Sequence[Path], settings: Settings) -> set[str]:
    """The same where the files are, with what is kept of the project."""
    from trainlint.app.engine import driver

    paths = [path for path in files if absolute_path(path) in then.files]
    if not paths:
        return set()
    return _marks_of(driver.check(paths, settings, kept_for="", then=then), repository)


def _root_then(then: Exported, root: Path) -> Path:
    """Where globs of the settings start from: the same folder of the other revision, if it belongs to the repository."""
    try:
        return then.then(root)
    except RevisionError:
        return root
