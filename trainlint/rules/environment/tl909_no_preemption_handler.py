"""TL909 no-preemption-handler. Its page, which is also its test: rules/environment/TL909-no-preemption-handler.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL909",
    summary="a job that may be preempted at any time, and whose script starts over each time",
    certainty="heuristic",
    needs=("gradient",),
    reads=("launch", "preempted"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield what asks for machines that may be taken away."""
    from trainlint.jobs import preemption

    for found in preemption.preempted(program):
        entry = found.entry
        yield Suspect(
            path=found.document.path,
            spot=found.spot,
            node="Text",
            statement=found.spot,
            message=f"`{found.says}`: this job may be preempted at any time, and its script handles no SIGTERM and loads no "
            "state\n"
            "The training up to that point is lost, and the job starts over. Save at intervals, load the newest "
            "checkpoint at the start, and save once more on SIGTERM.",
            because=(Reason(entry.module, entry.start.call.term.site, "The training starts here."),),
        )
