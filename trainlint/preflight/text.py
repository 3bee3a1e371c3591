"""The checklists as text, as JSON, as Markdown, and as a page."""

from __future__ import annotations

import json
from collections.abc import Iterator

from trainlint.preflight.as_data import CheckedLine, JobData, Proof, as_data
from trainlint.preflight.run import Outcome
from trainlint.report.markdown import code, plain
from trainlint.report.printable import escape, wrap
from trainlint.report.style import Style

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
_WIDEST = 120
_INDENT = " " * 6
#: Lines that start a job, of which so many are shown.
_LAUNCHES = 4


def render(form: str, outcome: Outcome, style: Style) -> str:
    """The checklists in a format: ``text``, ``json``, ``markdown`` or ``html``."""
    if form == "json":
        return json.dumps(as_data(outcome), indent=2, sort_keys=True) + "\n"
    if form == "markdown":
        return as_markdown(outcome)
    if form == "html":
        from trainlint.report.html_page import page

        return page(outcome.findings, as_data(outcome), lines_of=outcome.lines_of)
    return as_text(outcome, style)


# -- text --------------------------------------------------------------------------------------------------------------


def as_text(outcome: Outcome, style: Style) -> str:
    """For a terminal."""
    data = as_data(outcome)
    return "\n".join(line for job in data["jobs"] for line in _text(job, style)) + ("\n" if data["jobs"] else "")


def _text(job: JobData, style: Style) -> Iterator[str]:
    by = _FRAMEWORKS.get(job["framework"], job["framework"])
    yield f"{style.strong(escape(job['script']))}{style.accent(':')}{job['row']} ({by})"
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
    room = max(min(style.columns, _WIDEST) - indent - 2, 20)
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
