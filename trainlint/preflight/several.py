"""The lines of a job that files tell what to make: what holds with each of them is so, and of anything else nobody knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trainlint.preflight.items import answers
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Item, Line, Verdict

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
