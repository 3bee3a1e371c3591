"""The format for a pull request or a job's summary: a list of findings for each file; reasons and repairs are folded away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from trainlint.app.report.places import LinesOf, cell_of, display_path, position
from trainlint.app.report.preview import rows
from trainlint.app.report.printable import ELLIPSIS, begins_command, escape
from trainlint.finding import Applicability, Finding, Level, Repair

_NOUNS = {Level.ERROR: "error", Level.WARNING: "warning", Level.ADVICE: "advice"}
_HOW = {
    Applicability.SAFE: "apply with `--fix`",
    Applicability.UNSAFE: "unsafe: apply with `--fix --unsafe-fixes`",
    Applicability.DISPLAY: "a suggestion",
}
#: What would be markup, HTML, a link, a mention, or a number of an issue.
_MARKUP = frozenset("\\`*_{}[]<>#+!|~&$")
_LONGEST = 400


def render(findings: Iterable[Finding], lines_of: LinesOf) -> str:
    """The whole document, in GitHub's Markdown; GitLab reads it as well."""
    found = list(findings)
    if not found:
        return "### trainlint: no findings\n"
    counts = [(level, sum(one.level is level for one in found)) for level in Level]
    words = ", ".join(
        f"{count} {_NOUNS[level]}{'s' * (count > 1 and level is not Level.ADVICE)}" for level, count in counts if count
    )
    out = [f"### trainlint: {len(found)} finding{'s' * (len(found) > 1)}", "", f"{words}.", ""]
    for path, group in groupby(found, key=lambda one: one.path):
        out += [f"#### {code(display_path(path))}", ""]
        for one in group:
            out += [*_finding(one, lines_of), ""]
    return "\n".join(out).rstrip("\n") + "\n"


def _finding(one: Finding, lines_of: LinesOf) -> Iterator[str]:
    cell = "" if one.cell is None else f"cell {one.cell}, "
    headline, *reasons = one.message.split("\n")
    yield f"- **{one.level.value} {plain(one.code)}** ({cell}line {one.span.line}) {plain(headline)}"
    if not reasons and not one.related and one.repair is None:
        return
    yield ""
    yield f"  <details><summary>{'Why' if one.repair is None else 'Why, and how to repair it'}</summary>"
    yield ""
    for paragraph in reasons:
        yield f"  {plain(paragraph.strip())}"
        yield ""
    for place in one.related:
        yield f"  - {code(position(place.path, cell_of(place), *place.span[:2]))} {plain(place.message)}"
    yield ""
    if one.repair is not None:
        yield from _repair(one, one.repair, lines_of)
    yield "  </details>"


def _repair(one: Finding, repair: Repair, lines_of: LinesOf) -> Iterator[str]:
    yield f"  {plain(repair.message)} ({_HOW[repair.applicability]})"
    yield ""
    for cell in dict.fromkeys(edit.cell for edit in repair.edits):
        shown = rows(lines_of(one.path, cell), [edit for edit in repair.edits if edit.cell == cell])
        changed = ["..." if row.sign == ELLIPSIS else f"{row.sign.replace('|', ' ')}{_source(row.text)}" for row in shown]
        if not changed:
            continue
        if cell != one.cell:
            yield f"  in cell {cell}:"
            yield ""
        fence = _longer("```", "\n".join(changed))
        yield f"  {fence}diff"
        for line in changed:
            # GitHub would take it for a command if it stood in a build's log.
            harmless = line.replace(":", "\\x3a", 1) if begins_command(line) else line
            yield f"  {harmless}".rstrip()
        yield f"  {fence}"
        yield ""


def _source(line: str) -> str:
    """A line of code, cut where nobody would read on."""
    shown = escape(line.expandtabs(4))
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + ELLIPSIS


def plain(text: str, *, in_cell: bool = False) -> str:
    """Text in which nothing is markup; what stands between backticks stays code. ``in_cell``: it stands in a table."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _quiet(text)
    return "".join(
        code(part, in_cell=in_cell) if number % 2 and part.strip() else _quiet(part) for number, part in enumerate(parts)
    )


def code(text: str, *, in_cell: bool = False) -> str:
    """A code span; in a cell of a table a bar would end the cell, even in code."""
    safe = escape(text).replace("|", "\\|") if in_cell else escape(text)
    ticks = _longer("`", safe)
    # Between the ticks one space at each end is not shown: it keeps a tick of the text away from them.
    return f"{ticks} {safe} {ticks}" if "`" in safe or safe != safe.strip() else f"{ticks}{safe}{ticks}"


def _longer(fence: str, text: str) -> str:
    """A fence that does not occur in a text."""
    while fence in text:
        fence += "`"
    return fence


def _quiet(text: str) -> str:
    shown = "".join(f"\\{char}" if char in _MARKUP else char for char in escape(text))
    # Behind a comment GitHub sees neither somebody's name nor an address; a backslash it would see through.
    shown = shown.replace("@", "@<!-- -->").replace("://", ":<!-- -->//")
    if shown.startswith(("::", "-", "=")):
        return f"\\{shown}"
    number = re.match(r"\d+(?=[.)])", shown)  # the beginning of a list
    return shown if number is None else f"{number.group()}\\{shown[number.end() :]}"


__all__ = ["code", "plain", "render"]
