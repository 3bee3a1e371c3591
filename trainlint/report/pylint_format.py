"""The form that tools for pylint's parseable output read: ``path:line: [CODE] message``."""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.finding import Finding
from trainlint.report.places import display_path, headline
from trainlint.report.printable import escape


def render(findings: Iterable[Finding]) -> str:
    """One line for each finding; lines are 1-based (in a notebook: those of the cell, which stands before them)."""
    return "".join(_line(finding) for finding in findings)


def _line(finding: Finding) -> str:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    return f"{escape(display_path(finding.path))}:{cell}{finding.span.line}: [{finding.code}] {headline(finding)}\n"
