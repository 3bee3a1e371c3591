"""An answer for every keystroke: one changed file, judged with the files next to it, its places carried over.

From places in a text to the same places in the text that an editor has made of it.

A whole run over a large project is too slow to wait for while somebody types, and what a file's findings hang on is mostly
near it. But not always: so the answer is not what the near files say, it is *what the change has changed* in what they say. At
the last whole run (:class:`Standing`) the findings of the file are known, and what is seen from near is noted. After a change:

* what is seen from near now and was not then, has come with the change;
* what was seen from near then and is not now, is gone with it;
* what cannot be seen from near stays as it was, on the line where it is now.

The next whole run sets it right where that is wrong. The near files are only as many as are judged fast enough.
"""

from __future__ import annotations

import ast
import dataclasses
import time
import warnings
from collections.abc import Collection, Sequence
from itertools import takewhile

from trainlint.app.engine.analysis import Analyser, Progress
from trainlint.app.engine.resident import Resident, Surroundings, of_file
from trainlint.app.engine.result import Analysis, Group
from trainlint.app.engine.workspace import Workspace
from trainlint.finding import Edit, Finding, Place, Repair, Span
from trainlint.regular import absolute_path


class Carry:
    """Two texts as lines. What lies before or behind the stretch in which they differ has a place in both."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        shorter = min(len(before), len(after))
        self._head = _equal(before[:shorter], after[:shorter])
        rest = shorter - self._head
        tail = _equal(before[len(before) - rest :][::-1], after[len(after) - rest :][::-1])
        self._tail = len(before) - tail
        self._shift = len(after) - len(before)

    def span(self, span: Span) -> Span | None:
        """The place in the later text; None for one that is touched by what was changed."""
        if span.end_line <= self._head:
            return span
        if span.line > self._tail:
            return span._replace(line=span.line + self._shift, end_line=span.end_line + self._shift)
        return None

    def finding(self, finding: Finding) -> Finding | None:
        """A finding of the later text; None when its own place was changed. Related places and repairs that were are left out."""
        span = self.span(finding.span)
        if span is None:
            return None
        moved = span.line - finding.span.line
        row = None if finding.noqa_row is None else finding.noqa_row + moved
        related = tuple(place for place in (self._place(place, finding) for place in finding.related) if place is not None)
        return dataclasses.replace(
            finding,
            span=span,
            related=related,
            repair=self._repair(finding.repair),
            noqa_row=row,
            honoured=tuple(line + moved for line in finding.honoured),
        )

    def findings(self, findings: Sequence[Finding]) -> list[Finding]:
        """Those of one file's findings that still have a place."""
        carried = map(self.finding, findings)
        return [finding for finding in carried if finding is not None]

    def _place(self, place: Place, finding: Finding) -> Place | None:
        if absolute_path(place.path) != absolute_path(finding.path):
            return place
        span = self.span(place.span)
        return None if span is None else dataclasses.replace(place, span=span)

    def _repair(self, repair: Repair | None) -> Repair | None:
        if repair is None:
            return None
        edits = [(self.span(edit.span), edit.content) for edit in repair.edits]
        moved = tuple(Edit(span, content) for span, content in edits if span is not None)
        return dataclasses.replace(repair, edits=moved) if len(moved) == len(edits) else None


def _equal(some: Sequence[str], others: Sequence[str]) -> int:
    """How many of the first items are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False)))


#: How many bytes of other files are judged with a file at most.
_BYTES = 60_000
#: How long that may take, as a multiple of parsing the file; with more, fewer files are near.
_PARSES = 10
#: Seconds that nobody notices: so long it may take in any case.
_AT_LEAST = 0.03
#: What is found where something is missing, and that something may be far: a comment that suppresses nothing (that is near).
_BY_ABSENCE = frozenset({"TL002"})


class Near(Analyser):
    """A file as it is in the editor, and those around it as they were. Nothing of it is shared with the project."""

    def __init__(self, path: str, around: Surroundings) -> None:
        view = Workspace([], [])
        view.spelled, view.targets, view.replaced = around.spelled, {path: None}, dict(around.replaced)
        super().__init__(view, around.settings, around.knowledge, around.roots)
        self.interest = around.interest
        self.path = path
        self._finder = around.finder
        self._around = around

    def set_text(self, data: bytes) -> None:
        """Let the file hold something else."""
        self.workspace.replace(self.path, data)
        self.forget(self.path)

    def run(self, progress: Progress | None = None) -> Analysis:
        """Judge the near files; reported is what concerns the one."""
        done = Analysis()
        data = self._data(self.path)
        telling = self.interest.telling
        found = telling.words(data)
        groups: list[Group] = []
        if (self._around.awake or telling.tells(found)) and dict(self._modules_of([self.path], 0, 1, progress)):
            self.modules.update(self._around.modules)
            codes = sorted({*self._around.codes, *self.interest.codes(found)})
            groups.append(Group((*self._around.modules, self.path), tuple(codes)))
        commented = [self.path] if b"trainlint:" in data or b"noqa" in data.lower() else []
        self._judge(groups, commented, done)
        return done


class Standing:
    """What is known of a file that was judged with the whole project, and how it looks from near."""

    def __init__(self, resident: Resident, path: str, whole: Sequence[Finding]) -> None:
        source = resident.live.keep(path)
        self.path = path
        self.findings = of_file(whole, path)
        self.lines = source.lines if source is not None else []
        self.around = _around(resident, path)
        self.data = source.data if source is not None else b""
        self._seen: list[Finding] | None = None

    def look(self) -> None:
        """Note what is seen from near, of as many of the files around as can be looked at in the time. Once is enough."""
        enough = max(_PARSES * _parse_time(self.data), _AT_LEAST)
        while self._seen is None:
            near = Near(self.path, self.around)
            near.set_text(self.data)
            begun = time.perf_counter()
            seen = near.run()
            others = list(self.around.modules.items())
            if not others or time.perf_counter() - begun <= enough:
                self._seen = of_file(seen.findings, self.path)
            else:
                self.around = self.around._replace(modules=dict(others[: len(others) // 2]))

    def findings_now(self, seen: Sequence[Finding], lines: Sequence[str]) -> list[Finding]:
        """The findings of the file when its lines are these and this is what is seen from near."""
        assert self._seen is not None
        carry = Carry(self.lines, lines)
        then = {_key(finding) for finding in carry.findings(self._seen)}
        whole = {_key(finding): finding for finding in carry.findings(self.findings)}
        now = {_key(finding): finding for finding in seen if _key(finding) in whole or self._is_new(finding, then)}
        stayed = {key: finding for key, finding in whole.items() if key not in then}
        return sorted({**stayed, **now}.values(), key=lambda finding: finding.sort_key)

    def _is_new(self, finding: Finding, then: Collection[tuple[str, int, int]]) -> bool:
        return _key(finding) not in then and finding.code not in _BY_ABSENCE


class Answer(Near):
    """A file as it is now. While its text has no model (it cannot be parsed), its findings are the last ones there were."""

    def __init__(self, standing: Standing, data: bytes) -> None:
        standing.look()
        super().__init__(standing.path, standing.around)
        self.standing = standing
        self.findings = standing.findings
        self._lines: Sequence[str] = standing.lines
        self.set_text(data)

    def run(self, progress: Progress | None = None) -> Analysis:
        """The findings of the file, and of no other."""
        done = super().run(progress)
        source = self.workspace.read(self.path)
        if source is not None:
            if self.path in self.workspace.troubles:
                self.findings = Carry(self._lines, source.lines).findings(self.findings)
            else:
                self.findings = self.standing.findings_now(of_file(done.findings, self.path), source.lines)
            self._lines = source.lines
        done.findings = self.findings
        return done

    @property
    def trouble(self) -> list[Finding]:
        """What is to be said of a text without a model; nothing otherwise."""
        trouble = self.workspace.troubles.get(self.path)
        if trouble is None or not self.settings.selected(trouble.code, self.workspace.spelled[self.path]):
            return []
        if not self.matters(self.path, trouble):
            return []
        return [self.about(self.path, trouble)]


def near_by(resident: Resident, path: str) -> Near:
    """A file with those around it."""
    return Near(path, _around(resident, path))


def _around(resident: Resident, path: str) -> Surroundings:
    return resident.surroundings(path, resident.around(path, _BYTES))


def _key(finding: Finding) -> tuple[str, int, int]:
    return finding.code, finding.span.line, finding.span.column


def _parse_time(data: bytes) -> float:
    """Seconds for parsing a text, the shortest of some: what else the machine does must not let the rest take longer."""
    best = float("inf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            begun = time.perf_counter()
            try:
                ast.parse(data)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return 0.0
            best = min(best, time.perf_counter() - begun)
    return best
