"""Findings as the protocol has them: diagnostics, and on hover the reasons of the finding that the mouse is on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from pygls.uris import from_fs_path

from trainlint.app.frontends.server.documents import Units
from trainlint.app.frontends.server.project import LinesOf
from trainlint.app.report.places import headline
from trainlint.finding import Finding, Level, Place
from trainlint.pages import page_path, page_url
from trainlint.regular import absolute_path

Cells = Callable[[str, int], "str | None"]

_SEVERITIES = {
    Level.ERROR: types.DiagnosticSeverity.Error,
    Level.WARNING: types.DiagnosticSeverity.Warning,
    Level.ADVICE: types.DiagnosticSeverity.Information,
}
#: What is there for nothing is shown faded: a comment that suppresses nothing.
_TAGS = {"TL002": [types.DiagnosticTag.Unnecessary]}


class Shown(NamedTuple):
    """A finding and what the client was told of it."""

    finding: Finding
    diagnostic: types.Diagnostic


class Teller:
    """Makes diagnostics for a client: what it cannot show, it is not sent.

    ``cells`` gives the URI of a 1-based cell of an open notebook, None for any other.
    """

    def __init__(self, units: Units, client: types.PublishDiagnosticsClientCapabilities | None, cells: Cells) -> None:
        self.units = units
        self._cells = cells
        self._related = bool(client and client.related_information)
        self._tags = bool(client and client.tag_support)
        self._links = bool(client and client.code_description_support)

    def shown(self, findings: Iterable[Finding], lines_of: LinesOf) -> list[Shown]:
        """Findings with their diagnostics; ``lines_of`` gives the lines of a file by its absolute path, or of a cell."""
        told = (each for each in findings if each.cell is None or self._cells(_absolute(each.path), each.cell))
        return [Shown(finding, self._diagnostic(finding, lines_of)) for finding in told]

    def _diagnostic(self, finding: Finding, lines_of: LinesOf) -> types.Diagnostic:
        link = page_uri(finding.code) if self._links else None
        places = [self._place(place, lines_of) for place in finding.related] if self._related else []
        return types.Diagnostic(
            range=self.units.range(finding.span, lines_of(_absolute(finding.path), finding.cell)),
            message=headline(finding),
            severity=_SEVERITIES[finding.level],
            code=finding.code,
            code_description=types.CodeDescription(link) if link is not None else None,
            source="trainlint",
            tags=_TAGS.get(finding.code) if self._tags else None,
            related_information=[place for place in places if place is not None] or None,
        )

    def _place(self, place: Place, lines_of: LinesOf) -> types.DiagnosticRelatedInformation | None:
        path = _absolute(place.path)
        uri = uri_of(path) if place.cell is None else self._cells(path, place.cell)
        if uri is None:
            return None
        location = types.Location(uri, self.units.range(place.span, lines_of(path, place.cell)))
        return types.DiagnosticRelatedInformation(location, place.message)


def uri_of(path: str) -> str:
    """The URI of an absolute path."""
    uri: str | None = from_fs_path(path)
    assert uri is not None
    return uri


def _absolute(path: Path) -> str:
    return absolute_path(path)


@cache
def page_uri(code: str) -> str | None:
    """Where the page of a rule can be opened: where trainlint was released, else on this machine."""
    page = page_path(code)
    return page_url(code) or (None if page is None else page.as_uri())


def hover_at(position: types.Position, shown: Sequence[Shown], *, markdown: bool) -> types.Hover | None:
    """Why there are findings at this position, with links to the pages of their rules; None when there are none."""
    here = [each for each in shown if _holds(each.diagnostic.range, position)]
    if not here:
        return None
    text = "\n\n---\n\n".join(_why(each.finding, markdown=markdown) for each in here)
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, text), range=here[0].diagnostic.range)


def _why(finding: Finding, *, markdown: bool) -> str:
    """The whole message of a finding and what its places say, and where to read on."""
    places = [f"- line {place.span.line}" + _elsewhere(place, finding) + f": {place.message}" for place in finding.related]
    link, rule = page_uri(finding.code), f"{finding.code} {finding.name}"
    page = f"[{rule}]({link})" if markdown and link is not None else f"{rule}: {link or 'trainlint rule ' + finding.code}"
    parts = [*finding.message.split("\n"), "\n".join(places), page]
    return "\n\n".join(part for part in parts if part)


def _elsewhere(place: Place, finding: Finding) -> str:
    if place.path != finding.path:
        return f" of {place.path.name}"
    return "" if place.cell == finding.cell else f" of cell {place.cell}"


def _holds(area: types.Range, position: types.Position) -> bool:
    start, end = (area.start.line, area.start.character), (area.end.line, area.end.character)
    return start <= (position.line, position.character) <= end
