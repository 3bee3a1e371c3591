"""TL802 unsynchronized-timing. Its page, which is also its test: rules/throughput/TL802-unsynchronized-timing.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import (
    Applicability,
    Change,
    InsertAfter,
    InsertBefore,
    Program,
    Reason,
    Rule,
    Suspect,
    Together,
    at_call,
)

RULE = Rule.ours(
    code="TL802",
    summary="a clock that is read while the GPU still computes what is timed",
    needs=("clock",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each reading of a clock that ends an interval in which nothing waits for the GPU."""
    from trainlint.domains.asynchronous import intervals

    for found in intervals.unwaited(program):
        interval = found.interval
        start, work = found.interval.start.term.site, found.work.term.site
        yield at_call(
            interval.ends_in,
            interval.end,
            message="the clock is read before the GPU has finished (no `torch.cuda.synchronize()`): this measures the "
            "kernel launches only\n"
            "Kernel launches are asynchronous. Synchronize first, or measure with CUDA events.",
            because=(
                Reason(found.works_in, work, "this runs on the GPU, and nothing waits for it"),
                Reason(interval.module, start, "the time is measured from here"),
            ),
            evidence="must" if found.sure else "likely",
            data={
                "behind": intervals.last_of(interval),
                "places": [interval.end.statement] + ([interval.start.statement] if found.before else []),
                "code": intervals.waiting_code(program, interval.module, *interval.functions)
                if interval.ends_in == interval.module
                else None,
            },
        )

    for twin in intervals.unlike(program):
        yield at_call(
            twin.module,
            twin.read,
            message="the clock is read before the GPU has finished: only the multi-process variant "
            "calls `torch.cuda.synchronize()`\n"
            "Kernel launches are asynchronous, on one GPU as on many. Call `torch.cuda.synchronize()` in both.",
            because=(Reason(twin.module, twin.waits.term.site, "this one has the same name, and waits"),),
            data={"behind": None, "places": [twin.read.statement], "code": twin.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Wait for the GPU before the clock is read."""
    code = suspect.data["code"]
    if code is None:
        return None
    message = "Synchronize before the clock is read"
    if suspect.data["behind"] is not None:
        return InsertAfter(Applicability.SAFE, message, statement=suspect.data["behind"], code=code)
    inserts = tuple(InsertBefore(Applicability.SAFE, message, statement=place, code=code) for place in suspect.data["places"])
    return Together(Applicability.SAFE, message, changes=inserts)
