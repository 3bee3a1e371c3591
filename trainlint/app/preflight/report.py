"""The checklists as data, as text, as Markdown, and as a page.

The checklists as plain JSON data: what ``--output-format json`` prints, and what the page is made from.

Paths are as they were spelled on the command line (``filename`` is the absolute one); rows and columns are 1-based.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypedDict

from trainlint.app.preflight.line import HERE, Evidence, Item, Line, Verdict
from trainlint.app.preflight.run import Checklist, Outcome
from trainlint.app.report.json_format import as_object
from trainlint.app.report.markdown import code, plain
from trainlint.app.report.places import display_path
from trainlint.app.report.printable import escape, wrap
from trainlint.app.report.style import WIDEST, Style
from trainlint.codes import CODES, TITLES
from trainlint.knowledge import load_knowledge

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


_MARKS = {"seen": "\N{CHECK MARK}", "missing": "\N{MULTIPLICATION X}", "not-needed": "\N{EN DASH}", "unknown": "?"}
_WORDS = {"seen": "seen", "missing": "missing", "not-needed": "not needed", "unknown": "cannot be known from the code"}
_FRAMEWORKS = {
    "loop": "its own loop",
    "jax": "its own loop, JAX",
    "deepspeed": "its own loop, DeepSpeed",
    "accelerate": "its own loop, Accelerate",
    "fabric": "its own loop, Lightning Fabric",
    "lightning": "Lightning's trainer",
    "transformers": "the trainer of Transformers",
    "composer": "Composer's trainer",
    "keras": "Keras fit",
    "detectron2": "Detectron2's trainer",
}
_INDENT = " " * 6
#: Lines that start a job, of which so many are shown.
_LAUNCHES = 4


def render(form: str, outcome: Outcome, style: Style, *, evidence: bool = False) -> str:
    """The checklists in a format: ``text`` (``evidence``: with the places of every line), ``json``, ``markdown`` or ``html``."""
    if form == "json":
        return json.dumps(as_data(outcome), indent=2, sort_keys=True) + "\n"
    if form == "markdown":
        return as_markdown(outcome)
    if form == "html":
        from trainlint.app.report.html_page import page

        return page(outcome.findings, as_data(outcome), lines_of=outcome.lines_of)
    return as_text(outcome, style, evidence=evidence)


# -- text --------------------------------------------------------------------------------------------------------------


def as_text(outcome: Outcome, style: Style, *, evidence: bool = False) -> str:
    """For a terminal: what is missing and what it costs, then what cannot be known; ``evidence``: each line with its places."""
    told = _text if evidence else _first_screen
    data = as_data(outcome)
    return "\n".join(line for job in data["jobs"] for line in told(job, style)) + ("\n" if data["jobs"] else "")


def _headed(job: JobData, style: Style) -> Iterator[str]:
    by = _FRAMEWORKS.get(job["framework"], job["framework"])
    yield f"{style.strong(escape(job['script']))}{style.accent(':')}{job['row']} ({by})"


def _first_screen(job: JobData, style: Style) -> Iterator[str]:
    """What somebody has to read who is about to start the job; what is fine is one line."""
    by_verdict = {word(verdict): [line for line in job["lines"] if line["verdict"] == word(verdict)] for verdict in Verdict}
    yield from _headed(job, style)
    costs: Mapping[str, list[str]] = load_knowledge().tables["preflight.costs"]
    order = {name: number for number, name in enumerate(costs)}
    missing = sorted(by_verdict["missing"], key=lambda line: order.get(line["name"], len(order)))
    if missing:
        yield ""
        yield f"  {style.strong(f'{len(missing)} missing, the costliest first')}"
    for line in missing:
        cost, repair = costs.get(line["name"], ("", ""))
        yield f"  {_painted(line, style)} {line['title']}"
        yield from _wrapped(escape(f"{line['why']} {cost}".rstrip()), len(_INDENT), style)
        yield from (f"{_INDENT}at {_place(proof)}" for proof in line["evidence"][:1])
        yield from _wrapped(f"repair: {escape(repair)}", len(_INDENT), style) if repair else ()
    telling: dict[str, list[CheckedLine]] = {}
    for line in by_verdict["unknown"]:
        telling.setdefault(line["command"] or "", []).append(line)
    if telling:
        yield ""
        yield f"  {style.strong(str(len(by_verdict['unknown'])) + ' cannot be known from the code')}"
    for command, lines in telling.items():
        yield f"  {_painted(lines[0], style)} {', '.join(line['title'] for line in lines)}"
        yield from _wrapped(f"to know: {escape(command)}", len(_INDENT), style) if command else ()
    fine = ", ".join(line["name"] for line in (*by_verdict["seen"], *by_verdict["not-needed"]))
    yield ""
    if fine:
        yield from _wrapped(f"{style.added(_MARKS['seen'])} fine or not needed: {fine}", 2, style)
    yield from _wrapped("--evidence shows what each line rests on.", 2, style)
    yield ""


def _text(job: JobData, style: Style) -> Iterator[str]:
    yield from _headed(job, style)
    launches = job["launches"]
    for each in launches[:_LAUNCHES]:
        yield from _wrapped(f"started by {escape(each['path'])}:{each['row']}: {escape(each['text'])}", 2, style)
    if len(launches) > _LAUNCHES:
        yield from _wrapped(f"and by {len(launches) - _LAUNCHES} more lines", 2, style)
    group = ""
    for line in job["lines"]:
        if line["group"] != group:
            group = line["group"]
            yield ""
            yield f"  {style.strong(group)}"
        yield f"  {_painted(line, style)} {line['title']}: {_WORDS[line['verdict']]}"
        yield from _wrapped(escape(line["why"]), len(_INDENT), style)
        for proof in line["evidence"]:
            yield from _wrapped(f"{_place(proof)}: {escape(proof['message'])}", len(_INDENT), style)
        if line["command"]:
            yield from _wrapped(f"to know: {escape(line['command'])}", len(_INDENT), style)
    yield ""
    yield f"  {_counted(job)}"
    yield ""


def _painted(line: CheckedLine, style: Style) -> str:
    mark = _MARKS[line["verdict"]]
    paint = {"seen": style.added, "missing": style.removed, "unknown": style.related}.get(line["verdict"], style.accent)
    return paint(mark)


def _wrapped(text: str, indent: int, style: Style) -> Iterator[str]:
    room = max(min(style.columns, WIDEST) - indent - 2, 20)
    for number, part in enumerate(wrap(text, room)):
        yield " " * (indent + 2 * bool(number)) + part


def _counted(job: JobData) -> str:
    return ", ".join(f"{count} {_WORDS[verdict]}" for verdict, count in job["counts"].items() if count)


def _place(proof: Proof) -> str:
    return f"{escape(proof['path'])}:{proof['row']}"


# -- Markdown ----------------------------------------------------------------------------------------------------------


def as_markdown(outcome: Outcome) -> str:
    """For a pull request: a table for each job, what is missing first and the rest folded away."""
    data = as_data(outcome)
    return "\n".join(line for job in data["jobs"] for line in _markdown(job))


def _markdown(job: JobData) -> Iterator[str]:
    yield f"### Before {code(job['script'])} starts\n"
    yield f"{plain(_FRAMEWORKS.get(job['framework'], job['framework']))}; {_counted(job)}.\n"
    for verdict in ("missing", "unknown", "seen", "not-needed"):
        lines = [line for line in job["lines"] if line["verdict"] == verdict]
        if not lines:
            continue
        if verdict != "missing":
            yield f"<details><summary>{len(lines)} {_WORDS[verdict]}</summary>\n"
        yield "| | | |\n|---|---|---|"
        for line in lines:
            places = ", ".join(code(f"{proof['path']}:{proof['row']}", in_cell=True) for proof in line["evidence"])
            told = f"To know: {code(line['command'], in_cell=True)}." if line["command"] else ""
            more = " ".join(filter(None, (plain(line["why"], in_cell=True), places, told)))
            yield f"| {_MARKS[verdict]} | {plain(line['title'], in_cell=True)} | {more} |"
        yield "" if verdict == "missing" else "\n</details>\n"
