"""The format for programs that read line by line: the objects of the JSON format, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterable

from trainlint.finding import Finding
from trainlint.report.json_format import as_object


def render(findings: Iterable[Finding]) -> str:
    """One JSON object and a newline for each finding."""
    return "".join(json.dumps(as_object(finding), sort_keys=True) + "\n" for finding in findings)
