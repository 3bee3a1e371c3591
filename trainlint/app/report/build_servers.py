"""Reports that build servers show: GitLab's Code Quality, and JUnit's XML, which most of them take.

GitLab's is a JSON list, each finding with a fingerprint by which GitLab tells new from old. Keys as in docs.gitlab.com, "Code
Quality: Code Quality report format". Paths count from the repository, where GitLab runs jobs (``CI_PROJECT_DIR``, else the
working directory). JUnit's has a suite for each file, and a failed case for each finding.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint.app.report.places import InFile, display_path, in_cell, span_in_file
from trainlint.app.report.printable import escape, escape_block
from trainlint.finding import Finding, Level, Span
from trainlint.fingerprint import LinesOf, fingerprints, relative

_SEVERITY = {Level.ERROR: "major", Level.WARNING: "minor", Level.ADVICE: "info"}


def render_gitlab(findings: Sequence[Finding], lines_of: LinesOf, in_file: InFile | None = None) -> str:
    """The report as JSON; ``lines_of`` is needed for the fingerprints, ``in_file`` for the lines of notebooks."""
    root = Path(os.environ.get("CI_PROJECT_DIR") or Path.cwd())
    marks = fingerprints(findings, root, lines_of)
    objects = [_as_object(finding, mark, root, in_file) for finding, mark in zip(findings, marks, strict=True)]
    return json.dumps(objects, indent=2) + "\n"


def _as_object(finding: Finding, mark: str, root: Path, in_file: InFile | None) -> dict[str, Any]:
    # GitLab knows no cells, and wants a line.
    span = span_in_file(finding.path, finding.cell, finding.span, in_file) or Span(1, 1, 1, 1)
    return {
        "check_name": f"{finding.code} {finding.name}",
        "description": in_cell(finding) + finding.message,
        "severity": _SEVERITY[finding.level],
        "fingerprint": mark,
        "location": {
            "path": relative(finding.path, root),
            "positions": {
                "begin": {"line": span.line, "column": span.column},
                "end": {"line": span.end_line, "column": span.end_column},
            },
        },
    }


def render_junit(findings: Iterable[Finding]) -> str:
    """The whole document. Without findings it holds one case that passed: a report without cases counts as broken."""
    found = list(findings)
    top = ET.Element("testsuites", name="trainlint", tests=str(max(len(found), 1)), failures=str(len(found)), errors="0")
    for path, group in groupby(found, key=lambda finding: finding.path):
        _suite(top, escape(display_path(path)), list(group))
    if not found:
        suite = ET.SubElement(top, "testsuite", name="trainlint", tests="1", failures="0", errors="0", skipped="0")
        ET.SubElement(suite, "testcase", name="No findings", classname="trainlint", time="0")
    ET.indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(top, encoding="unicode") + "\n"


def _suite(top: ET.Element, path: str, found: list[Finding]) -> None:
    count = str(len(found))
    suite = ET.SubElement(top, "testsuite", name=path, tests=count, failures=count, errors="0", skipped="0")
    for finding in found:
        line, column = str(finding.span.line), str(finding.span.column)
        cell = "" if finding.cell is None else f"cell {finding.cell}, "
        case = ET.SubElement(suite, "testcase", name=f"{finding.code} {finding.name}", classname=path, line=line, column=column)
        case.set("time", "0")
        message = escape_block(finding.message)
        failure = ET.SubElement(case, "failure", type=finding.level.value, message=message)
        failure.text = f"{cell}line {line}, column {column}: {message}"
