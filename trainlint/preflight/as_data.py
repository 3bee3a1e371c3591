"""The checklists as plain JSON data: what ``--output-format json`` prints, and what the page is made from.

Paths are as they were spelled on the command line (``filename`` is the absolute one); rows and columns are 1-based.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any, TypedDict

from trainlint.codes import CODES, TITLES
from trainlint.preflight.line import HERE, Evidence, Item, Line, Verdict
from trainlint.preflight.run import Checklist, Outcome
from trainlint.report.json_format import as_object
from trainlint.report.places import display_path

#: Goes up when a program that reads the data has to be changed.
VERSION = 1
#: Characters of a line that is shown.
_MOST = 80


class Proof(TypedDict):
    """A place that shows what a line says; ``message`` says what stands there."""

    path: str
    filename: str
    row: int
    message: str


class CheckedLine(TypedDict):
    """One line of a checklist: ``verdict`` is a name of :class:`Verdict` in small letters with hyphens.

    ``why`` is the sentence that the verdict rests on, ``command`` what would tell (None: nothing needs to be run), ``source``
    the section of the handbook, ``codes`` the rules whose findings the line is answered by.
    """

    name: str
    group: str
    title: str
    verdict: str
    why: str
    evidence: list[Proof]
    command: str | None
    source: str
    codes: list[str]


class Started(TypedDict):
    """A line of a script or container that starts a job."""

    path: str
    filename: str
    row: int
    text: str


class JobData(TypedDict):
    """The checklist of one training script.

    ``row`` is the call that trains, ``framework`` who runs the loop (``loop``: the project itself), ``distributed`` whether
    several processes train together (None: the code does not say), ``counts`` how many lines have each verdict, ``findings``
    the numbers of its findings in the report's list.
    """

    script: str
    filename: str
    row: int
    framework: str
    distributed: bool | None
    launches: list[Started]
    counts: dict[str, int]
    lines: list[CheckedLine]
    findings: list[int]


class Family(TypedDict):
    """A family of rules: its name, what it is about, and the numbers of its findings in the report's list."""

    name: str
    title: str
    findings: list[int]


class Report(TypedDict):
    """Everything. ``findings`` are as in ``trainlint check --output-format json``, with ``family`` and ``path`` added."""

    version: int
    jobs: list[JobData]
    families: list[Family]
    findings: list[dict[str, Any]]
    problems: list[str]


def word(verdict: Verdict) -> str:
    """The verdict as programs read it: ``seen``, ``missing``, ``not-needed``, ``unknown``."""
    return verdict.name.lower().replace("_", "-")


def as_data(outcome: Outcome) -> Report:
    """The report of an outcome."""
    numbers = {id(finding): number for number, finding in enumerate(outcome.findings)}
    objects = []
    families: dict[str, list[int]] = {name: [] for name in TITLES}
    for number, finding in enumerate(outcome.findings):
        family = CODES[finding.code].family
        families[family].append(number)
        objects.append({**as_object(finding), "family": family, "path": str(finding.path)})
    return Report(
        version=VERSION,
        jobs=[_job(each, outcome, numbers) for each in outcome.checklists],
        families=[Family(name=name, title=TITLES[name], findings=found) for name, found in families.items() if found],
        findings=objects,
        problems=list(outcome.problems),
    )


def _job(checklist: Checklist, outcome: Outcome, numbers: dict[int, int]) -> JobData:
    counts = Counter(word(line.verdict) for _, line in checklist.lines)
    return JobData(
        script=str(checklist.path),
        filename=_absolute(checklist.path),
        row=checklist.line,
        framework=checklist.framework,
        distributed=checklist.is_distributed,
        launches=[
            Started(path=str(each.path), filename=_absolute(each.path), row=each.row, text=each.text)
            for each in checklist.launches
        ],
        counts={word(verdict): counts[word(verdict)] for verdict in Verdict},
        lines=[_line(item, line, outcome) for item, line in checklist.lines],
        findings=[numbers[id(each)] for each in checklist.findings if id(each) in numbers],
    )


def _line(item: Item, line: Line, outcome: Outcome) -> CheckedLine:
    return CheckedLine(
        name=item.name,
        group=item.group,
        title=item.title,
        verdict=word(line.verdict),
        why=line.why,
        evidence=[_proof(each, outcome) for each in line.evidence],
        command=line.command,
        source=item.source,
        codes=list(item.codes),
    )


def _proof(each: Evidence, outcome: Outcome) -> Proof:
    path = outcome.spelled.get(each.path) or Path(display_path(Path(each.path)))
    return Proof(path=str(path), filename=_absolute(path), row=each.spot.line, message=_message(each, outcome))


def _message(each: Evidence, outcome: Outcome) -> str:
    """What stands at a place: its message, or the line itself where the message says no more than that it is there."""
    if each.message != HERE:
        return each.message
    lines = outcome.lines_of(Path(each.path), None)
    text = lines[each.spot.line - 1].strip() if 1 <= each.spot.line <= len(lines) else HERE
    return text if len(text) <= _MOST else f"{text[:_MOST]}..."


def _absolute(path: Path) -> str:
    return os.path.normpath(path.absolute())
