"""Reviewdog's JSON, with repairs as suggestions.

Form and units from reviewdog's ``proto/rdf/reviewdog.proto``: lines and columns start at 1, and columns count **bytes**
of UTF-8, so the lines are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trainlint.app.report.places import InFile, LinesOf, cell_of, display_path, in_cell, repair_in_file, span_in_file
from trainlint.finding import Edit, Finding, Level, Place, Repair, Span

_SEVERITY = {Level.ERROR: "ERROR", Level.WARNING: "WARNING", Level.ADVICE: "INFO"}


def render(findings: Iterable[Finding], lines_of: LinesOf, in_file: InFile | None = None) -> str:
    """The whole document. Reviewdog knows no cells: a notebook's places are those of its JSON, or have no range."""
    diagnostics = [_diagnostic(finding, lines_of, in_file) for finding in findings]
    return json.dumps({"source": {"name": "trainlint"}, "diagnostics": diagnostics}, indent=2) + "\n"


def _diagnostic(finding: Finding, lines_of: LinesOf, in_file: InFile | None) -> dict[str, Any]:
    lines = lines_of(finding.path, None)
    found = {
        "message": in_cell(finding) + finding.message,
        "location": _location(finding.path, span_in_file(finding.path, finding.cell, finding.span, in_file), lines),
        "severity": _SEVERITY[finding.level],
        "code": {"value": finding.code},
        "related_locations": [_related(place, lines_of, in_file) for place in finding.related],
    }
    repair = repair_in_file(finding, in_file)
    if repair is not None:
        whole = as_one(repair, lines)
        found["suggestions"] = [{"range": _range(whole.span, lines), "text": whole.content}]
    return found


def _related(place: Place, lines_of: LinesOf, in_file: InFile | None) -> dict[str, Any]:
    span = span_in_file(place.path, cell_of(place), place.span, in_file)
    return {"message": place.message, "location": _location(place.path, span, lines_of(place.path, None))}


def _location(path: Path, span: Span | None, lines: Sequence[str]) -> dict[str, Any]:
    location: dict[str, Any] = {"path": display_path(path)}
    if span is not None:
        location["range"] = _range(span, lines)
    return location


def as_one(repair: Repair, lines: Sequence[str]) -> Edit:
    """All edits of a repair as one, with the text between them: a reviewer who takes a suggestion takes all of it.

    ``lines`` are those of the file, without line ends.
    """
    edits = sorted(repair.edits, key=lambda edit: edit.span)
    first, last = edits[0].span, edits[-1].span
    parts = [edits[0].content]
    for before, after in zip(edits, edits[1:], strict=False):
        parts.append(_between(before.span, after.span, lines))
        parts.append(after.content)
    return Edit(Span(first.line, first.column, last.end_line, last.end_column), "".join(parts))


def _between(before: Span, after: Span, lines: Sequence[str]) -> str:
    """The text from the end of one span to the start of another."""
    if before.end_line == after.line:
        return _line(lines, after.line)[before.end_column - 1 : after.column - 1]
    whole = [_line(lines, number) for number in range(before.end_line + 1, after.line)]
    start = _line(lines, before.end_line)[before.end_column - 1 :]
    return "\n".join([start, *whole, _line(lines, after.line)[: after.column - 1]])


def _range(span: Span, lines: Sequence[str]) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": span.line, "column": _bytes(lines, span.line, span.column)},
        "end": {"line": span.end_line, "column": _bytes(lines, span.end_line, span.end_column)},
    }


def _bytes(lines: Sequence[str], line: int, column: int) -> int:
    """A 1-based column of characters as a 1-based column of bytes."""
    before = _line(lines, line)[: column - 1]
    return column + len(before.encode("utf-8", "surrogatepass")) - len(before)


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""
