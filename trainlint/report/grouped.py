"""One heading for each file, its findings below, columns aligned."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from trainlint.finding import Finding
from trainlint.report.places import display_path, headline, is_fixable
from trainlint.report.printable import escape
from trainlint.report.style import Style


def render(findings: Iterable[Finding], *, style: Style, unsafe: bool = False) -> str:
    """Findings in their order, which is by file; ``unsafe``: whether the star also means unsafe repairs."""
    blocks = []
    for path, group in groupby(findings, key=lambda finding: finding.path):
        found = list(group)
        places = [_place(finding) for finding in found]
        wide = max(map(len, places))
        lines = [
            f"  {place:<{wide}} {_rest(finding, style, unsafe=unsafe)}" for place, finding in zip(places, found, strict=True)
        ]
        blocks.append("\n".join([f"{style.strong(escape(display_path(path)))}:", *lines]) + "\n")
    return "\n".join(blocks)


def _place(finding: Finding) -> str:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    return f"{cell}{finding.span.line}:{finding.span.column}"


def _rest(finding: Finding, style: Style, *, unsafe: bool) -> str:
    star = f"[{style.accent('*')}] " if is_fixable(finding, unsafe=unsafe) else ""
    return f"{style.level(finding.level, finding.code)} {star}{headline(finding)}"
