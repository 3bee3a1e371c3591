"""The format for people: every finding with its code, its reason, the places that explain it, and its repair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trainlint.app.report.frame import Frame, Mark, draw_frame, plan_frame
from trainlint.app.report.places import LinesOf, cell_of, headline, is_fixable, position
from trainlint.app.report.printable import escape, wrap
from trainlint.app.report.style import Style
from trainlint.finding import Applicability, Finding, Place, Repair

_CONTEXT = 2

_HOW = {
    Applicability.SAFE: "apply with `--fix`",
    Applicability.UNSAFE: "unsafe: it may change what the program does; apply with `--fix --unsafe-fixes`",
    Applicability.DISPLAY: "a suggestion: not applied automatically",
}


def render(findings: Iterable[Finding], lines_of: LinesOf, *, style: Style, unsafe: bool = False) -> str:
    """All findings, each followed by an empty line.

    ``lines_of`` gives the source lines (of the notebook cell, where there is one); a finding whose lines are not to be
    had is shown without a frame. ``unsafe`` says whether unsafe repairs are enabled, which puts a star on them.
    """
    return "".join("\n".join(_finding(finding, lines_of, style, unsafe=unsafe)) + "\n\n" for finding in findings)


def _finding(finding: Finding, lines_of: LinesOf, style: Style, *, unsafe: bool) -> list[str]:
    lines = lines_of(finding.path, finding.cell)
    main = plan_frame(lines, finding.span, _CONTEXT)
    related = [(place, plan_frame(lines_of(place.path, cell_of(place)), place.span, 0)) for place in finding.related]
    gutter = _gutter([main, *(frame for _, frame in related)])
    out = [_header(finding, style, unsafe=unsafe)]
    out.append(_arrow("-->", gutter, position(finding.path, finding.cell, *finding.span[:2]), style))
    if main is not None:
        mark = Mark("^", lambda text: style.level(finding.level, text))
        out += draw_frame(main, mark, gutter, style)
    for paragraph in finding.message.split("\n")[1:]:
        out += _note(paragraph, gutter, style)
    for place, frame in related:
        out += _related(place, frame, gutter, style)
    if finding.repair is not None:
        out += _repair(finding, finding.repair, lines_of, style)
    return out


def _header(finding: Finding, style: Style, *, unsafe: bool) -> str:
    star = f"[{style.accent('*')}] " if is_fixable(finding, unsafe=unsafe) else ""
    return f"{style.level(finding.level, escape(finding.code))} {star}{style.strong(headline(finding))}"


def _gutter(frames: Sequence[Frame | None]) -> int:
    return max((len(str(frame.last)) for frame in frames if frame is not None), default=1)


def _arrow(arrow: str, gutter: int, where: str, style: Style) -> str:
    return f"{' ' * gutter}{style.gutter(arrow)} {where}"


def _note(paragraph: str, gutter: int, style: Style) -> list[str]:
    """A paragraph of the reason: ``= text``, wrapped and indented below the frame."""
    parts = wrap(escape(paragraph), max(style.columns - gutter - 3, 20))
    bullet = " " * (gutter + 1) + style.gutter("=") + " "
    return [(bullet if index == 0 else " " * (gutter + 3)) + part for index, part in enumerate(parts)]


def _related(place: Place, frame: Frame | None, gutter: int, style: Style) -> list[str]:
    where = position(place.path, cell_of(place), *place.span[:2])
    arrow = _arrow(":::", gutter, where, style)
    if frame is None:
        return [arrow, *_note(place.message, gutter, style)]
    return [arrow, *draw_frame(frame, Mark("-", style.related, place.message), gutter, style)]


def _repair(finding: Finding, repair: Repair, lines_of: LinesOf, style: Style) -> list[str]:
    from trainlint.app.report.preview import preview

    title = f"{escape(repair.message)} ({_HOW[repair.applicability]})"
    label = "help: "
    first, *rest = wrap(title, max(style.columns - len(label), 40))
    out = [f"{style.accent('help')}: {first}", *(" " * len(label) + part for part in rest)]
    # A repair of a notebook may concern several cells; those it is not reported in are named.
    for cell in dict.fromkeys(edit.cell for edit in repair.edits):
        edits = tuple(edit for edit in repair.edits if edit.cell == cell)
        shown = preview(lines_of(finding.path, cell), Repair(repair.applicability, repair.message, edits), style)
        out += [f"in cell {cell}:"] * (cell != finding.cell and bool(shown)) + shown
    return out
