"""The checklist: its lines in their order, and how each is answered for a job.

A line is *seen* when the job is seen to run what the line asks for, *missing* when nothing in its files speaks of it, *not
needed* when its framework does it or the job is not of that kind, and otherwise it cannot be known from the code.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from trainlint.finding import Finding, Spot
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence, Item, Line, Verdict
from trainlint.preflight.lines import checkpoints, code, machine, monitoring, ranks
from trainlint.preflight.lines.declaring import Answer

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
        yield item, answer(job)


def with_findings(lines: Iterable[tuple[Item, Line]], job: Job, findings: Sequence[Finding]) -> Iterator[tuple[Item, Line]]:
    """The lines again; one whose rules report something that the job runs is missing, whatever else speaks for it."""
    for item, line in lines:
        found = [each for each in findings if each.code in item.codes and job.runs(each)]
        if not found or line.verdict is Verdict.NOT_NEEDED:
            yield item, line
            continue
        places = tuple(
            Evidence(os.path.abspath(each.path), _spot(each), f"{each.code} {_first(each)}")  # noqa: PTH100
            for each in found[:3]
        )
        yield item, Line(line.name, Verdict.MISSING, f"{found[0].code}: {_first(found[0]).rstrip('.')}.", places)


def _first(finding: Finding) -> str:
    return finding.message.splitlines()[0]


def _spot(finding: Finding) -> Spot:
    line, column, end_line, end_column = finding.span
    return Spot(line, column - 1, end_line, end_column - 1)
