"""SARIF 2.1.0 (OASIS), which code scanning services read: rules with their pages, findings with places, ways and repairs.

Columns count characters (``unicodeCodePoints``), ends are exclusive. What GitHub takes of it:
docs.github.com, "SARIF support for code scanning".
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from trainlint import __version__
from trainlint.app.report.places import InFile, cell_of, in_cell, repair_in_file, span_in_file
from trainlint.codes import CODES, LEVEL_WORDS, TITLES
from trainlint.finding import Edit, Finding, Level, Place, Repair, Span
from trainlint.fingerprint import LinesOf, fingerprints, relative
from trainlint.pages import page_text, page_url

_LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.ADVICE: "note"}
_ROOT = "%SRCROOT%"
#: The name under which a service finds the fingerprint; the number changes when fingerprints are made another way.
_FINGERPRINT = "trainlint/v1"


def render(findings: Sequence[Finding], lines_of: LinesOf, root: Path | None = None, in_file: InFile | None = None) -> str:
    """The whole log, one run. File names count from ``root`` (default: the working directory).

    ``in_file`` says where the places of notebooks are in their JSON.
    """
    root = Path.cwd() if root is None else root
    codes = sorted({finding.code for finding in findings})
    marks = fingerprints(findings, root, lines_of)
    where = _Where(root, in_file)
    results = [_result(finding, codes.index(finding.code), mark, where) for finding, mark in zip(findings, marks, strict=True)]
    driver = {
        "name": "trainlint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": root.absolute().as_uri().rstrip("/") + "/"}},
        "results": results,
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    known = CODES[code]
    page = page_text(code)
    rule: dict[str, Any] = {
        "id": code,
        "name": known.name,
        "shortDescription": {"text": _title(page) or known.name},
        "defaultConfiguration": {"level": _LEVELS[Level(LEVEL_WORDS[known.level])]},
        "properties": {"tags": [known.family, TITLES[known.family]]},
    }
    url = page_url(code)
    if url is not None:
        rule["helpUri"] = url
    if page is not None:
        rule["help"] = {"text": page, "markdown": page}
    return rule


def _title(page: str | None) -> str | None:
    """The heading of a page, without the code before it."""
    heading = "" if page is None else page.lstrip().partition("\n")[0]
    return heading.lstrip("# ").strip() or None


class _Where(NamedTuple):
    """What names of files count from, and where the places of notebooks are in their files."""

    root: Path
    in_file: InFile | None

    def location(self, path: Path, span: Span, cell: int | None) -> dict[str, Any]:
        placed = span_in_file(path, cell, span, self.in_file)
        # Services want a line: where that of a cell cannot be had in the file it is the first.
        region = {"startLine": 1} if placed is None else _region(placed)
        return {"physicalLocation": {"artifactLocation": _artifact(path, self.root), "region": region}}


def _result(finding: Finding, rule: int, mark: str, where: _Where) -> dict[str, Any]:
    cell = in_cell(finding).capitalize()
    here = where.location(finding.path, finding.span, finding.cell)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.level],
        "message": {"text": cell + finding.message},
        "locations": [here],
        "partialFingerprints": {_FINGERPRINT: mark},
    }
    if finding.related:
        steps = [_place(place, where) for place in finding.related]
        result["relatedLocations"] = [{"id": number, **step} for number, step in enumerate(steps, 1)]
        # The way to the mistake ends at the mistake.
        way = [*steps, {**here, "message": {"text": finding.message.partition("\n")[0]}}]
        result["codeFlows"] = [{"threadFlows": [{"locations": [{"location": step} for step in way]}]}]
    repair = repair_in_file(finding, where.in_file)
    if repair is not None:
        result["fixes"] = [_fix(repair, finding.path, where.root)]
    return result


def _place(place: Place, where: _Where) -> dict[str, Any]:
    return {**where.location(place.path, place.span, cell_of(place)), "message": {"text": place.message}}


def _fix(repair: Repair, path: Path, root: Path) -> dict[str, Any]:
    changes = [{"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}} for edit in _sorted(repair.edits)]
    return {
        "description": {"text": f"{repair.message} ({repair.applicability.value})"},
        "artifactChanges": [{"artifactLocation": _artifact(path, root), "replacements": changes}],
    }


def _sorted(edits: Sequence[Edit]) -> list[Edit]:
    return sorted(edits, key=lambda edit: edit.span)


def _artifact(path: Path, root: Path) -> dict[str, str]:
    name = relative(path, root)
    if Path(name).is_absolute():
        return {"uri": Path(name).as_uri()}
    return {"uri": quote(os.fsencode(name)), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    return {"startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column}
