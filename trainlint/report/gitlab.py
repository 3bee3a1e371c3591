"""GitLab's Code Quality report: a JSON list, each finding with a fingerprint by which GitLab tells new from old.

Keys as in docs.gitlab.com, "Code Quality: Code Quality report format". Paths count from the repository, where GitLab
runs jobs (``CI_PROJECT_DIR``, else the working directory).
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trainlint.finding import Finding, Level, Span
from trainlint.fingerprint import LinesOf, fingerprints, relative
from trainlint.report.places import InFile, in_cell, span_in_file

_SEVERITY = {Level.ERROR: "major", Level.WARNING: "minor", Level.ADVICE: "info"}


def render(findings: Sequence[Finding], lines_of: LinesOf, in_file: InFile | None = None) -> str:
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
