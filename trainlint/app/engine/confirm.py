"""From a suspect to a finding: its site is opened and confirmed, its repair is built, comments are honoured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from trainlint.app.engine.suppression import Suppressions, honoured_lines
from trainlint.app.engine.workspace import Workspace
from trainlint.codes import CODES
from trainlint.config import Settings
from trainlint.edits.changes import RewriteText
from trainlint.finding import Applicability, Edit, Finding, Level, Place, Repair, Span, Spot
from trainlint.regular import absolute_path
from trainlint.rules.api import Reason, Rule, Suspect
from trainlint.rules.registry import built
from trainlint.source.text import Source


class Confirmation:
    """Confirms suspects and keeps the suppression comments of the files they lie in."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self.workspace = workspace
        self.settings = settings
        self.internal_errors = 0
        #: Whether all rules were asked: else nobody knows which comments suppress nothing.
        self.complete = True
        self.silenced: list[tuple[Finding, int]] = []
        self._comments: dict[str, Suppressions] = {}
        self._sources: dict[str, Source] = {}

    def confirm(self, rule: Rule, suspect: Suspect) -> Iterator[Finding]:
        """The finding of a suspect; TL004 or TL005 when its site cannot be opened or does not hold what was seen.

        A statement that only libcst refuses holds it all the same: Python's own tree says so. Such a finding has no repair.
        """
        from trainlint.edits.site import SiteRefused, SiteTooComplex, open_site, stands

        source = self._source(suspect.path)
        if source is None:
            return
        if suspect.path in self.workspace.documents:
            yield from self._beside(rule, suspect, source)
            return
        try:
            site = open_site(source, suspect.statement)
        except SiteTooComplex as error:
            yield self._about(suspect, "TL004", f"{rule.code} could not look at this statement: {error}")
            return
        except SiteRefused as error:
            if stands(source, suspect.node, suspect.spot):
                yield self._finding(rule, suspect, source, None)
                return
            self.internal_errors += 1
            yield self._about(suspect, "TL005", f"{rule.code} lost its place: {error}")
            return
        if not site.confirm(suspect.node, suspect.spot):
            self.internal_errors += 1
            yield self._about(suspect, "TL005", f"{rule.code} saw a {suspect.node} here that the syntax tree does not have")
            return
        repair = None
        change = rule.repairer(suspect)
        if change is not None:
            doubted = suspect.evidence == "likely" and change.applicability is Applicability.SAFE
            applicability = Applicability.UNSAFE if doubted else change.applicability
            repair = self._repair(source, applicability, change.message, site.edits(change))
        yield self._finding(rule, suspect, source, repair)

    def _beside(self, rule: Rule, suspect: Suspect, source: Source) -> Iterator[Finding]:
        """The finding of a suspect in a file beside the Python."""
        from trainlint.app.engine import documents

        span = documents.placed(source, suspect.spot)
        if span is None:
            self.internal_errors += 1
            yield self._about(suspect, "TL005", f"{rule.code} lost its place")
            return
        change = rule.repairer(suspect)
        repair = None
        if isinstance(change, RewriteText):
            repair = Repair(change.applicability, change.message, documents.edits(source, change))
        lines = documents.honoured(source, span.line, min(suspect.spot.end_line, len(source.lines)))
        places = tuple(self._place(reason) for reason in suspect.because)
        spelled = self.workspace.spelled[suspect.path]
        level = self._level(rule, spelled)
        yield Finding(rule.code, rule.name, level, spelled, span, suspect.message, places, repair, None, span.line, lines)

    def _source(self, path: str) -> Source | None:
        source = self._sources.get(path)
        if source is None:
            source = self.workspace.keep(path)
            if source is not None:
                self._sources[path] = source
        return source

    def _repair(self, source: Source, applicability: Applicability, message: str, edits: Iterable[Edit] | None) -> Repair | None:
        from trainlint.edits.notebooks import split

        placed = split(source, edits) if edits else None
        return Repair(applicability, message, placed) if placed else None

    def _finding(self, rule: Rule, suspect: Suspect, source: Source, repair: Repair | None) -> Finding:
        span = source.span(suspect.spot)
        if suspect.node in ("For", "While", "If", "With", "FunctionDef", "ClassDef"):
            span = self._header(source, span)
        statement = suspect.statement
        compound = suspect.node in ("For", "While", "If", "With")
        lines = (span.line, span.end_line) if compound else (statement.line, statement.end_line)
        around = _logical_line(source, statement.line, span.line)
        honoured = honoured_lines(lines[0], lines[1], span.end_line)
        row, _ = self._row(source, around[-1])
        placed, cell = self._in_cell(source, span)
        return Finding(
            rule.code,
            rule.name,
            self._level(rule, self.workspace.spelled[suspect.path]),
            self.workspace.spelled[suspect.path],
            placed,
            suspect.message,
            tuple(self._place(reason) for reason in suspect.because),
            repair,
            cell,
            row,
            tuple(dict.fromkeys((around[-1], around[0], *honoured))),
        )

    def _level(self, rule: Rule, path: Path) -> Level:
        return self.settings.level(rule.code, path) if rule.code in CODES else rule.level

    def _header(self, source: Source, span: Span) -> Span:
        """The first line of a compound statement stands for all of it."""
        line = source.lines[span.line - 1].rstrip()
        return Span(span.line, span.column, span.line, len(line) + 1)

    def _row(self, source: Source, line: int) -> tuple[int, int | None]:
        where = source.cell_of(line)
        return (line, None) if where is None else (where[1], where[0])

    def _in_cell(self, source: Source, span: Span) -> tuple[Span, int | None]:
        where = source.cell_of(span.line)
        if where is None:
            return span, None
        shift = span.line - where[1]
        return Span(span.line - shift, span.column, span.end_line - shift, span.end_column), where[0]

    def _place(self, reason: Reason) -> Place:
        source = self._source(reason.path)
        path = self.workspace.spelled.get(reason.path, Path(reason.path))
        if source is None:
            return Place(path, Span(reason.spot.line, 1, reason.spot.line, 1), reason.message)
        span = source.span(reason.spot)
        if span.line != span.end_line:
            span = self._header(source, span)
        placed, cell = self._in_cell(source, span)
        return Place(path, placed, reason.message, cell)

    def _about(self, suspect: Suspect, code: str, message: str) -> Finding:
        spot: Spot = suspect.statement
        source = self._source(suspect.path)
        span = source.span(spot) if source is not None else Span(spot.line, 1, spot.line, 1)
        span = Span(span.line, span.column, span.line, span.column)
        placed, cell = (span, None) if source is None else self._in_cell(source, span)
        path = self.workspace.spelled[suspect.path]
        level = self.settings.level(code, path)
        return Finding(code, CODES[code].name, level, path, placed, message, (), None, cell, placed.line, (span.line,))

    # -- comments --------------------------------------------------------------------------------------------------

    def without_suppressed(self, findings: list[Finding], commented: Iterable[str]) -> list[Finding]:
        """The findings that no comment suppresses, and what is to be said of the comments themselves."""
        if self.settings.ignore_noqa:
            return findings
        kept = []
        for finding in findings:
            lines = finding.honoured or (finding.span.line,)
            comments = self._comments_of(absolute_path(finding.path))
            directive = comments.match(finding.code, lines) if comments is not None else None
            if directive is not None:
                self.silenced.append((finding, directive.line))
            else:
                kept.append(finding)
        for path in commented:
            kept.extend(self._comment_findings(path))
        return kept

    def _comments_of(self, path: str) -> Suppressions | None:
        if path not in self._comments:
            source = self._source(path)
            if source is None:
                return None
            self._comments[path] = Suppressions.parse(source, is_python=path not in self.workspace.documents)
        return self._comments[path]

    def _comment_findings(self, path: str) -> Iterator[Finding]:
        comments = self._comments_of(path)
        source = self._source(path)
        spelled = self.workspace.spelled[path]
        if comments is None or source is None:
            return
        known = built()
        if "TL002" in self.settings.codes and self.complete:
            for unused in comments.unused(lambda code: code in known and self._judges(code, spelled)):
                named = f" ({', '.join(unused.codes)})" if unused.codes else ""
                repair = self._repair(source, Applicability.SAFE, "Remove the unused suppression", unused.edits)
                yield self._comment(source, spelled, "TL002", f"the comment suppresses nothing{named}", unused.span, repair)
        if "TL003" in self.settings.codes:
            for unknown in comments.unknown():
                hint = f"; did you mean `{unknown.nearest}`?" if unknown.nearest else ""
                yield self._comment(
                    source, spelled, "TL003", f"unknown rule `{unknown.text}` in a suppression comment{hint}", unknown.span, None
                )

    def _judges(self, code: str, path: Path) -> bool:
        """Whether a comment that suppresses a rule in this file can be called unused: whether the rule is on."""
        return self.settings.selected(code, path) and not self.settings.only_counted(code, path)

    def _comment(self, source: Source, path: Path, code: str, message: str, span: Span, repair: Repair | None) -> Finding:
        placed, cell = self._in_cell(source, span)
        level, honoured = self.settings.level(code, path), (span.line,)
        return Finding(code, CODES[code].name, level, path, placed, message, (), repair, cell, placed.line, honoured)


def _logical_line(source: Source, first: int, wanted: int) -> tuple[int, int]:
    """The first and the last line of the logical line that holds line ``wanted``; ``first`` begins one at or above it.

    A statement may have several: a compound one its header and those of its block.
    """
    from trainlint.source.logical import statement_at

    start = source.offset(first, 1)
    while start < len(source.code):
        end = statement_at(source.code, start).end
        # The line end belongs to the logical line; without one the text ends with it.
        last = source.place(end)[0] - (source.code[end - 1] in "\r\n")
        if last >= wanted:
            return source.place(start)[0], last
        start = end
    return wanted, wanted
