"""TL806 profiler-always-on. Its page, which is also its test: rules/throughput/TL806-profiler-always-on.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL806",
    summary="a profiler that records every step of a training",
    needs=("profiler",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each profiler that is open in all rounds of a training loop."""
    from trainlint.domains.asynchronous import profilers
    from trainlint.program import naming

    for found in profilers.whole_runs(program):
        site = found.site
        schedule = program.knowledge.tables["profilers.schedules"].get(found.library)
        few = "A few steps are enough: select them (`schedule=`, and `step()` after each step), or profile only if a flag is set."
        message = f"the profiler records every step of the training: no `schedule` and no flag stops it\n{few}"
        if found.loop is None:
            message = (
                "this profiler records every function of every step\n"
                "Let the trainer run only a few steps, or profile only if a flag is set."
            )
        maker, _, arguments = (schedule or "").partition("(")
        named = naming.reference(maker, program.modules[site.module]) if schedule else None
        yield Suspect(
            path=site.module,
            spot=site.call.term.site,
            node="Call",
            # A context manager is made in the line of a block that is more than that line.
            statement=site.call.term.site,
            message=message,
            because=(Reason(found.module, found.loop, "all iterations of this loop are recorded"),) if found.loop else (),
            data={"schedule": f"{named}({arguments}" if named else None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show a schedule of a few steps."""
    schedule = suspect.data["schedule"]
    if schedule is None:
        return None
    message = "Record a few steps, and call `step()` after each"
    return SetKeyword(Applicability.DISPLAY, message, call=suspect.spot, keyword="schedule", value=schedule)
