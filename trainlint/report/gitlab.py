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

from trainlint.finding import Finding, Level
from trainlint.fingerprint import LinesOf, fingerprints, relative

_SEVERITY = {Level.ERROR: "major", Level.WARNING: "minor", Level.ADVICE: "info"}


def render(findings: Sequence[Finding], lines_of: LinesOf) -> str:
    """The report as JSON; ``lines_of`` is needed for the fingerprints."""
    root = Path(os.environ.get("CI_PROJECT_DIR") or Path.cwd())
    marks = fingerprints(findings, root, lines_of)
    objects = [_as_object(finding, mark, root) for finding, mark in zip(findings, marks, strict=True)]
    return json.dumps(objects, indent=2) + "\n"


def _as_object(finding: Finding, mark: str, root: Path) -> dict[str, Any]:
    span = finding.span
    in_file = finding.cell is None  # GitLab knows no cells: a notebook's finding points at its first line
    cell = "" if in_file else f"cell {finding.cell}, line {span.line}: "
    return {
        "check_name": f"{finding.code} {finding.name}",
        "description": cell + finding.message,
        "severity": _SEVERITY[finding.level],
        "fingerprint": mark,
        "location": {
            "path": relative(finding.path, root),
            "positions": {
                "begin": {"line": span.line if in_file else 1, "column": span.column if in_file else 1},
                "end": {"line": span.end_line if in_file else 1, "column": span.end_column if in_file else 1},
            },
        },
    }
