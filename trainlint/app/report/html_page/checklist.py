"""The checklist on the page: for each training script its lines, each with its verdict, what that rests on, and where.

It is made from plain data: what ``trainlint preflight --output-format json`` prints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint.app.report.html_page.elements import element, one_line, path, prose
from trainlint.app.report.html_page.findings import Shown
from trainlint.app.report.places import LinesOf, display_path
from trainlint.finding import Span

#: Verdicts as the data names them: their sign and their words.
VERDICTS = {
    "missing": ("\N{MULTIPLICATION X}", "missing"),
    "unknown": ("?", "cannot be known from the code"),
    "seen": ("\N{CHECK MARK}", "seen"),
    "not-needed": ("\N{EN DASH}", "not needed"),
}


def section(data: Mapping[str, Any], found: Sequence[Shown], lines_of: LinesOf) -> ET.Element:
    """All checklists, and what could not be looked at. ``found`` are the findings of the page, to which lines link."""
    numbered = {one.number: one for one in found}
    problems = [element("li", str(problem)) for problem in data.get("problems", ())]
    alone = len(data["jobs"]) == 1
    jobs = [_job(job, number, numbered, lines_of, alone=alone) for number, job in enumerate(data["jobs"], start=1)]
    none = element("p", "No script that trains was found.", class_="nothing") if not jobs else None
    wrong = element("ul", *problems, class_="problems") if problems else None
    return element("section", *jobs, none, wrong, id="checklist", aria_label="Checklist")


def parts(jobs: Sequence[Mapping[str, Any]], findings: str) -> ET.Element:
    """The way to each checklist, with its verdicts where there are several, and to the findings."""
    links = [
        element("li", element("a", path(_shown_path(job["script"])), href=f"#job-{number}"), tally([job]))
        for number, job in enumerate(jobs, start=1)
        if len(jobs) > 1
    ]
    links.append(element("li", element("a", findings, href="#all-findings")))
    return element("nav", element("ol", *links), class_="parts", aria_label="Contents")


def tally(jobs: Sequence[Mapping[str, Any]]) -> ET.Element:
    """How many lines of some checklists have each verdict."""
    counts = Counter(str(line["verdict"]) for job in jobs for line in job["lines"])
    return element(
        "p",
        *(
            element("span", element("b", str(counts[verdict])), f" {words}", class_=f"verdict {verdict}")
            for verdict, (_, words) in VERDICTS.items()
            if counts[verdict]
        ),
        class_="tally",
    )


def _job(job: Mapping[str, Any], number: int, numbered: Mapping[int, Shown], lines_of: LinesOf, *, alone: bool) -> ET.Element:
    found = [numbered[each] for each in job.get("findings", ()) if each in numbered]
    runs = "" if job["framework"] == "loop" else f", run by {job['framework']}"
    launches = [
        element("li", element("code", str(each["text"])), " ", element("small", _at(each))) for each in job.get("launches", ())
    ]
    return element(
        "section",
        element("h2", "Before ", path(_shown_path(job["script"])), " starts", tabindex=-1),
        element("p", f"It trains in line {job['row']}{runs}.", class_="where"),
        element("ul", *launches, class_="launches") if launches else None,
        None if alone else tally([job]),
        *(_group(name, list(lines), found, lines_of) for name, lines in groupby(job["lines"], key=lambda line: line["group"])),
        class_="job",
        id=f"job-{number}",
    )


def _group(name: str, lines: Sequence[Mapping[str, Any]], found: Sequence[Shown], lines_of: LinesOf) -> ET.Element:
    shown = [_line(line, found, lines_of) for line in lines]
    return element("section", element("h3", name, " ", element("span", str(len(lines)), class_="count")), *shown, class_="group")


def _line(line: Mapping[str, Any], found: Sequence[Shown], lines_of: LinesOf) -> ET.Element:
    verdict = str(line["verdict"])
    sign, words = VERDICTS[verdict]
    answers = [one for one in found if one.finding.code in line.get("codes", ())]
    # What is linked to needs not be shown here, too.
    linked = {(one.file, one.finding.span.line) for one in answers}
    proofs = [each for each in line["evidence"] if (_shown_path(each["path"]), each["row"]) not in linked]
    places = [_proof(each, lines_of) for each in proofs]
    command = element("code", str(line["command"])) if line["command"] else None
    first = element("small", _short(line["evidence"])) if line["evidence"] else None
    findings = [_link(one) for one in answers]
    return element(
        "details",
        element(
            "summary",
            element("span", sign, class_="sign", aria_hidden="true"),
            element("span", line["title"], class_="headline"),
            element("span", words, class_=f"verdict {verdict}"),
            element(
                "span", *prose(str(line["why"])), " ", first, *(() if command is None else ("To know: ", command)), class_="why"
            ),
        ),
        element(
            "div",
            element("ol", *places, class_="evidence") if places else None,
            element("ul", *findings, class_="found") if findings else None,
            element("p", "Handbook: ", str(line["source"]), class_="source"),
            class_="body",
        ),
        class_=f"check {verdict}",
        data_verdict=verdict,
    )


def _short(places: Sequence[Mapping[str, Any]]) -> str:
    """The first place, and how many there are besides."""
    more = len(places) - 1
    return f"{Path(places[0]['path']).name}:{places[0]['row']}{f' and {more} more' if more else ''}"


def _link(one: Shown) -> ET.Element:
    """The way to a finding that a line is answered by."""
    where = f"{one.finding.path.name}:{one.finding.span.line}"
    headline = element("span", *prose(one.finding.message.partition("\n")[0]), class_="says")
    return element("li", element("a", one.finding.code, " ", where, href=f"#{one.anchor}"), headline)


def _proof(each: Mapping[str, Any], lines_of: LinesOf) -> ET.Element:
    row = int(each["row"])
    lines = lines_of(Path(each["path"]), None)
    length = len(lines[row - 1]) if 1 <= row <= len(lines) else 0
    line = one_line(lines, Span(row, length + 1, row, length + 1))
    return element("li", line, element("small", _at(each)), element("span", *prose(str(each["message"])), class_="says"))


def _at(each: Mapping[str, Any]) -> str:
    return f"{_shown_path(each['path'])}:{each['row']}"


def _shown_path(name: str) -> str:
    return display_path(Path(name))


__all__ = ["VERDICTS", "parts", "section", "tally"]
