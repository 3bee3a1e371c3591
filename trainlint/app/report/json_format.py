"""The formats for programs: ruff's JSON, with ``level`` and ``related`` added, as one list or with one object a line.

Keys are sorted as ruff sorts them. Everything outside ASCII is escaped, so the output is the same bytes on every
terminal and no file name can break it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainlint.finding import Edit, Finding, Level, Place, Repair, Span
from trainlint.pages import page_url

# ruff's words for how bad a diagnostic is.
_SEVERITY = {Level.ERROR: "error", Level.WARNING: "warning", Level.ADVICE: "info"}


def render(findings: Iterable[Finding], *, url_of: dict[str, str] | None = None) -> str:
    """A JSON list with one object for each finding, and a newline at the end.

    ``url`` is the address of the rule's page, as ``url_of`` or the rule's package says it; null when nobody does.
    Rows and columns are 1-based, columns count characters, ends are exclusive; ``filename`` is absolute. In a notebook
    rows count in the cell that the finding, the edit or the related place names.
    """
    objects = [as_object(finding, (url_of or {}).get(finding.code)) for finding in findings]
    return json.dumps(objects, indent=2, sort_keys=True) + "\n"


def as_object(finding: Finding, url: str | None = None) -> dict[str, Any]:
    """One finding as plain JSON data."""
    return {
        "cell": finding.cell,
        "code": finding.code,
        "end_location": _end(finding.span),
        "filename": _absolute(finding.path),
        "fix": None if finding.repair is None else _fix(finding.repair),
        "level": finding.level.value,
        "location": _start(finding.span),
        "message": finding.message,
        "name": finding.name,
        "noqa_row": finding.noqa_row,
        "related": [_related(place) for place in finding.related],
        "severity": _SEVERITY[finding.level],
        "url": url or page_url(finding.code),
    }


def _fix(repair: Repair) -> dict[str, Any]:
    return {
        "applicability": repair.applicability.value,
        "edits": [_edit(edit) for edit in repair.edits],
        "message": repair.message,
    }


def _edit(edit: Edit) -> dict[str, Any]:
    cell = {} if edit.cell is None else {"cell": edit.cell}
    return {"content": edit.content, "end_location": _end(edit.span), "location": _start(edit.span), **cell}


def _related(place: Place) -> dict[str, Any]:
    cell = {} if place.cell is None else {"cell": place.cell}
    return {"filename": _absolute(place.path), "location": _start(place.span), "message": place.message, **cell}


def _start(span: Span) -> dict[str, int]:
    return {"column": span.column, "row": span.line}


def _end(span: Span) -> dict[str, int]:
    return {"column": span.end_column, "row": span.end_line}


def _absolute(path: Path) -> str:
    return os.path.normpath(path.absolute())


def render_lines(findings: Iterable[Finding]) -> str:
    """One JSON object and a newline for each finding."""
    return "".join(json.dumps(as_object(finding), sort_keys=True) + "\n" for finding in findings)
