"""Which calls of a script start the processes of its training themselves, so that no launcher has to."""

from __future__ import annotations

from trainlint.facts.values import FunctionValue
from trainlint.ir.nodes import Call
from trainlint.ir.order import loops_around
from trainlint.preflight.evidence.asking import runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.ways import Place


def spawned(job: Job) -> list[Place]:
    """The calls that a job runs which start several processes: by a launcher's function, or one by one, in a loop.

    What is started one by one trains only if it leads to where the group of the processes is made; others load, or log.
    """
    own = [each for each in runs(job.trail.calls(table(job, "starts-a-process"))) if _is_repeated(each)]
    groups = {id(each.function) for each in job.trail.calls(table(job, "groups"))} if own else set()
    return [*runs(job.trail.calls(table(job, "spawns"))), *(each for each in own if _leads_to(job, each, groups))]


def _is_repeated(place: Place) -> bool:
    """Whether a call stands in a loop or a comprehension of its function."""
    return bool(loops_around(place.function, place.spot))


def _leads_to(job: Job, place: Place, wanted: set[int]) -> bool:
    """Whether what a process is to run comes to one of some functions (by id)."""
    frame = job.program.frame(place.module, place.function)
    given = [value for keyword, value in place.term.kwargs if keyword == "target"] if isinstance(place.term, Call) else []
    values = (each for term in given for each in job.program.values(term, frame))
    waiting = [id(each.function) for each in values if isinstance(each, FunctionValue)]
    seen = set(waiting)
    while waiting:
        here = waiting.pop()
        if here in wanted:
            return True
        further = {id(target.function) for _, target in job.trail.led.get(here, ())} - seen
        seen |= further
        waiting += further
    return False
