"""The checklist: its lines in their order, and how each is answered for a job, also one that files tell what to make.

The checklist: its lines in their order, and how each is answered for a job.

A line is *seen* when the job is seen to run what the line asks for, *missing* when nothing in its files speaks of it, *not
needed* when its framework does it or the job is not of that kind, and otherwise it cannot be known from the code.

The lines of a job that files tell what to make: what holds with each of them is so, and of anything else nobody
knows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from trainlint.finding import Finding, Spot
from trainlint.preflight.evidence.asking import Answer
from trainlint.preflight.evidence.by_trainers import by_trainer
from trainlint.preflight.evidence.resting import is_left_open, is_of_a_choice, needed_for
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence, Item, Line, Verdict
from trainlint.preflight.lines import checkpoints, code, machine, monitoring, ranks
from trainlint.preflight.saving.files import picked

ITEMS: tuple[tuple[Item, Answer], ...] = (
    *machine.LINES.items,
    *code.LINES.items,
    *ranks.LINES.items,
    *checkpoints.LINES.items,
    *monitoring.LINES.items,
)


def answers(job: Job) -> Iterator[tuple[Item, Line]]:
    """The whole list for a job, as far as its code tells."""
    for item, answer in ITEMS:
        yield item, by_trainer(job, answer(job))


def with_findings(
    lines: Iterable[tuple[Item, Line]], job: Job, findings: Sequence[Finding], beside: Sequence[Finding] = ()
) -> Iterator[tuple[Item, Line]]:
    """The lines again; one whose rules report something that the job runs is missing, whatever else speaks for it.

    Of those ``beside`` the named files that is said where no configuration decides whether it runs.
    """
    for item, line in lines:
        about = [each for each in findings if each.code in item.codes]
        found = [each for each in about if job.runs(each) and not is_of_a_choice(job, each) and not _is_picked(job, line)]
        if not found or line.verdict is Verdict.NOT_NEEDED:
            optional = [each for each in about if needed_for(job, each) is not None]
            yield item, _but(line, job, optional) if item.name == "collectives" and optional else line
            continue
        if item.name == "collectives" and all(each in beside and is_left_open(job, each) for each in found):
            why = f"What each rank runs differs where a configuration says so: {found[0].code}, {_first(found[0])}."
            yield item, Line(line.name, Verdict.UNKNOWN, why, _places(found), "look into the configuration of the job")
            continue
        yield item, Line(line.name, Verdict.MISSING, f"{found[0].code}: {_first(found[0]).rstrip('.')}.", _places(found))


def _is_picked(job: Job, line: Line) -> bool:
    """Whether an option of unknown value picks what the files of checkpoints are called: they may be one file all the time."""
    return line.name == "pruned" and line.verdict is Verdict.UNKNOWN and picked(job, fixed=False) is not None


def _but(line: Line, job: Job, found: Sequence[Finding]) -> Line:
    """A line that finds nothing, and what there is with an option that is off."""
    if line.verdict is not Verdict.SEEN:
        return line
    options = dict.fromkeys(job.options.written(name) for each in found if (name := needed_for(job, each)) is not None)
    why = f"What each rank runs was compared, and differs only with {' or '.join(options)}: {found[0].code}, {_first(found[0])}."
    return Line(line.name, line.verdict, why, _places(found))


def _places(found: Sequence[Finding]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(os.path.abspath(each.path), _spot(each), f"{each.code} {_first(each)}")  # noqa: PTH100
        for each in found[:3]
    )


def _first(finding: Finding) -> str:
    return finding.message.splitlines()[0]


def _spot(finding: Finding) -> Spot:
    line, column, end_line, end_column = finding.span
    return Spot(line, column - 1, end_line, end_column - 1)


_MOST = 3


def answers_of(job: Job) -> Iterator[tuple[Item, Line]]:
    """The whole list for a job with each of its aims."""
    if not job.others:
        yield from answers(job)
        return
    every = [list(answers(each)) for each in (job, *job.others)]
    names = [each.trail.aim.document.path if each.trail.aim is not None else "" for each in (job, *job.others)]
    for number, (item, _) in enumerate(every[0]):
        yield item, _agreed([each[number][1] for each in every], names)


def _agreed(lines: Sequence[Line], names: Sequence[str]) -> Line:
    """One line of several."""
    first = lines[0]
    evidence = tuple(dict.fromkeys((*(each for line in lines for each in line.evidence[:1]), *first.evidence)))[:_MOST]
    if all(each.verdict is first.verdict for each in lines):
        return Line(first.name, first.verdict, first.why, evidence, first.command)
    ways = {
        line.verdict: f"With {name.rpartition('/')[2]}: {line.why}"
        for line, name in reversed(list(zip(lines, names, strict=True)))
    }
    why = " ".join(("The file that is handed over says what is made.", *reversed(ways.values())))
    return Line(first.name, Verdict.UNKNOWN, why, evidence, "look which file the job is started with")
