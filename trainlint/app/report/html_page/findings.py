"""The findings on the page: by family, then by file; each folds out to its code, its reason and its repair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint.app.report.html_page import rank_drawings
from trainlint.app.report.html_page.elements import change, element, frame, path, prose
from trainlint.app.report.html_page.rank_drawings import drawn_lanes, lanes_of
from trainlint.app.report.places import LinesOf, cell_of, display_path, position
from trainlint.codes import CODES, TITLES
from trainlint.finding import Applicability, Finding, Place, Repair
from trainlint.fingerprint import fingerprints
from trainlint.pages import page_url

#: Repairs as the filter names them, and how one comes by them.
REPAIRS = {
    Applicability.SAFE: ("safe", "safe repair", "apply with --fix"),
    Applicability.UNSAFE: ("unsafe", "unsafe repair", "it may change what the program does: apply with --fix --unsafe-fixes"),
    Applicability.DISPLAY: ("shown", "suggestion", "not applied automatically"),
}
#: Levels are words, and signs of different shapes: a colour alone says nothing to some.
SIGNS = {"error": "\N{BLACK CIRCLE}", "warning": "\N{BLACK UP-POINTING TRIANGLE}", "advice": "\N{BLACK DIAMOND}"}
#: Characters of the line that a closed finding shows.
_PEEK = 120


class Shown(NamedTuple):
    """A finding, the words under which it is filtered, its name in addresses, and its number in the order it came in."""

    finding: Finding
    family: str
    file: str
    anchor: str
    number: int

    @property
    def repair(self) -> str:
        """The kind of its repair, as the filter names it."""
        repair = self.finding.repair
        return "none" if repair is None else REPAIRS[repair.applicability][0]


def prepared(findings: Iterable[Finding], lines_of: LinesOf) -> list[Shown]:
    """The findings as the page shows them: by family in the order of the codes, otherwise in the order they come in."""
    found = list(findings)
    order = {family: number for number, family in enumerate(TITLES)}
    names = fingerprints(found, Path.cwd(), lines_of)
    shown = [
        Shown(one, _family(one), display_path(one.path), f"{one.code}-{name[:12]}", number)
        for number, (one, name) in enumerate(zip(found, names, strict=True))
    ]
    return sorted(shown, key=lambda one: order.get(one.family, len(order)))


def _family(finding: Finding) -> str:
    known = CODES.get(finding.code)
    return "other" if known is None else known.family


def section(found: Sequence[Shown], lines_of: LinesOf, *, unsafe: bool) -> ET.Element:
    """All findings."""
    families = [
        _of_family(name, list(group), lines_of, unsafe=unsafe) for name, group in groupby(found, key=lambda one: one.family)
    ]
    none = element("p", "Nothing was found.", class_="nothing") if not families else None
    return element("section", *families, none, id="findings", aria_label="Findings")


def _of_family(family: str, found: list[Shown], lines_of: LinesOf, *, unsafe: bool) -> ET.Element:
    files = []
    for name, group in groupby(found, key=lambda one: one.file):
        own = [_finding(one, lines_of, unsafe=unsafe) for one in group]
        heading = element("h3", path(name), " ", _count(len(own)))
        files.append(element("section", heading, *own, class_="file"))
    about = TITLES.get(family, "")
    heading = element("h2", about[:1].upper() + about[1:] or family, " ", _count(len(found)), tabindex=-1)
    return element("section", heading, *files, class_="family", id=f"family-{family}", data_family=family)


def _count(number: int) -> ET.Element:
    return element("span", str(number), class_="count")


def _finding(one: Shown, lines_of: LinesOf, *, unsafe: bool) -> ET.Element:
    finding = one.finding
    headline = finding.message.partition("\n")[0]
    level = finding.level.value
    sign = element("span", SIGNS[level], class_="sign", aria_hidden="true")
    repair = REPAIRS[finding.repair.applicability][1] if finding.repair is not None else None
    line = f"{'' if finding.cell is None else f'cell {finding.cell}, '}line {finding.span.line}"
    return element(
        "details",
        element(
            "summary",
            element("span", *prose(headline), class_="headline"),
            element(
                "span",
                element("span", sign, level, class_=f"level {level}"),
                element("span", finding.code, class_="tag"),
                element("span", finding.name, class_="name"),
                element("span", line, class_="at"),
                element("span", repair, class_=f"repair {one.repair}") if repair else None,
                _peek(finding, lines_of),
                class_="facts",
            ),
        ),
        element("div", *_body(finding, one.anchor, lines_of, unsafe=unsafe), class_="body"),
        class_="finding",
        id=one.anchor,
        data_level=level,
        data_repair=one.repair,
    )


def _peek(finding: Finding, lines_of: LinesOf) -> ET.Element | None:
    """The line that is meant, for who has not opened the finding: of ten with one headline each is another one."""
    lines = lines_of(finding.path, finding.cell)
    if not 1 <= finding.span.line <= len(lines):
        return None
    line = lines[finding.span.line - 1].strip()
    return element("code", line[:_PEEK], class_="peek") if line else None


def _body(finding: Finding, anchor: str, lines_of: LinesOf, *, unsafe: bool) -> Iterator[ET.Element | None]:
    lanes = lanes_of(finding)
    yield element(
        "p",
        element("a", position(finding.path, finding.cell, *finding.span[:2]), href=f"#{anchor}", title="A link to this finding"),
        _about(finding.code),
        class_="where",
    )
    yield frame(lines_of(finding.path, finding.cell), finding.span)
    yield rank_drawings.drawn_shares(finding) if lanes is None else drawn_lanes(lanes, finding, lines_of)
    for paragraph in finding.message.split("\n")[2 if lanes is not None else 1 :]:
        yield element("p", *prose(paragraph), class_="reason")
    if lanes is None and finding.related:
        yield element("ol", *(_related(place, lines_of) for place in finding.related), class_="related")
    if finding.repair is not None:
        yield _repair(finding, finding.repair, lines_of, unsafe=unsafe)


def _about(code: str) -> ET.Element:
    """Where more is said of the rule: its page on the web, when its package has one, otherwise the command that shows it."""
    url = page_url(code)
    if url is not None and url.startswith("https://"):
        return element("span", element("a", "about this rule", href=url, rel="noreferrer"), class_="more")
    return element("span", "more: ", element("code", f"trainlint rule {code}"), class_="more")


def _related(place: Place, lines_of: LinesOf) -> ET.Element:
    where = position(place.path, cell_of(place), *place.span[:2])
    lines = lines_of(place.path, cell_of(place))
    said = element("p", element("span", *prose(place.message), class_="says"), " ", element("small", where))
    return element("li", said, frame(lines, place.span, 0))


def _repair(finding: Finding, repair: Repair, lines_of: LinesOf, *, unsafe: bool) -> ET.Element:
    kind, word, how = REPAIRS[repair.applicability]
    if unsafe and repair.applicability is Applicability.UNSAFE:
        how = "apply with --fix"
    made = element(
        "div",
        element(
            "p",
            element("span", word, class_=f"repair {kind}"),
            element("b", *prose(repair.message)),
            element("span", f"({how})", class_="how"),
        ),
        class_="mend",
    )
    # A repair of a notebook may concern several cells; those it is not reported in are named.
    for cell in dict.fromkeys(edit.cell for edit in repair.edits):
        shown = change(lines_of(finding.path, cell), [edit for edit in repair.edits if edit.cell == cell])
        if shown is None:
            continue
        if cell != finding.cell:
            made.append(element("p", f"in cell {cell}:", class_="cell"))
        made.append(shown)
    return made


__all__ = ["REPAIRS", "SIGNS", "Shown", "prepared", "section"]
