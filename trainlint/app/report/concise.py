"""One line for each finding: for scripts and editors, for tools that read pylint's output, and below a heading for each file."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from trainlint.app.report.places import display_path, headline, is_fixable
from trainlint.app.report.printable import escape
from trainlint.app.report.style import Style
from trainlint.finding import Finding


def render(findings: Iterable[Finding], *, style: Style, unsafe: bool = False) -> str:
    """``path:line:column: CODE [*] message`` for each finding (notebooks: ``path:cell N:line:column:``).

    Lines and columns are 1-based, columns count characters; the star means that ``--fix`` would repair it
    (``unsafe``: whether unsafe repairs are enabled).
    """
    return "".join(_line(finding, style, unsafe=unsafe) + "\n" for finding in findings)


def _line(finding: Finding, style: Style, *, unsafe: bool) -> str:
    colon = style.accent(":")
    parts = [style.strong(escape(display_path(finding.path)))]
    if finding.cell is not None:
        parts.append(f"cell {finding.cell}")
    parts += [str(finding.span.line), str(finding.span.column)]
    code = style.level(finding.level, escape(finding.code))
    star = f"[{style.accent('*')}] " if is_fixable(finding, unsafe=unsafe) else ""
    return f"{colon.join(parts)}{colon} {code} {star}{headline(finding)}"


def render_for_pylint(findings: Iterable[Finding]) -> str:
    """One line for each finding; lines are 1-based (in a notebook: those of the cell, which stands before them)."""
    return "".join(_line_for_pylint(finding) for finding in findings)


def _line_for_pylint(finding: Finding) -> str:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    return f"{escape(display_path(finding.path))}:{cell}{finding.span.line}: [{finding.code}] {headline(finding)}\n"


def render_grouped(findings: Iterable[Finding], *, style: Style, unsafe: bool = False) -> str:
    """One heading for each file, its findings below, columns aligned: in their order, which is by file."""
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
