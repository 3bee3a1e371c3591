"""Annotations on a pull request: GitHub's workflow commands.

``::error file=F,line=L,endLine=E,col=C,endColumn=D,title=T::M``. Of a message ``%``, carriage return and newline are
escaped, of a property also ``:`` and ``,`` (docs.github.com, "Workflow commands"; actions/toolkit ``command.ts``).
GitHub takes columns only where a finding begins and ends on one line (actions/toolkit ``core.AnnotationProperties``).
"""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.finding import Finding, Level, Place, Span
from trainlint.report.places import cell_of, display_path, position

_KINDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.ADVICE: "notice"}


def render(findings: Iterable[Finding]) -> str:
    """One command a line. The related places stand in the message, since an annotation has one place only."""
    return "".join(_command(finding) + "\n" for finding in findings)


def _command(finding: Finding) -> str:
    properties = {"file": display_path(finding.path)}
    if finding.cell is None:  # a line of a cell is not a line of the notebook's file
        properties.update(_range(finding.span))
    properties["title"] = f"{finding.code} {finding.name}"
    words = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_KINDS[finding.level]} {words}::{_data(_text(finding))}"


def _range(span: Span) -> dict[str, str]:
    lines = {"line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        lines.update(col=str(span.column), endColumn=str(span.end_column))
    return lines


def _text(finding: Finding) -> str:
    cell = "" if finding.cell is None else f"cell {finding.cell}, line {finding.span.line}: "
    return "\n".join([cell + finding.message, *map(_related, finding.related)])


def _related(place: Place) -> str:
    return f"{position(place.path, cell_of(place), place.span.line, place.span.column)}: {place.message}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
