"""TL114 no-collective-timeout. Its page, which is also its test: rules/distributed/TL114-no-collective-timeout.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL114",
    summary="a process group with the default timeout whose processes wait for one that works alone",
    certainty="heuristic",
    needs=("group", "job"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each start of such a group."""
    from trainlint.domains.process_groups import options
    from trainlint.program.naming import quoted

    for found in options.default_timeouts(program):
        site = found.start.site
        yield at_call(
            site.module,
            site.call,
            message=f"{quoted(site.call.term)} without `timeout`: the ranks wait in a collective while one does other work\n"
            "A collective that takes longer than the default (10 minutes with NCCL, 30 with DeepSpeed) ends the job. "
            "Pass a `timeout=` that is long enough for that work.",
            because=(
                Reason(found.alone.module, found.alone.call.term.site, "one rank alone does this work"),
                Reason(found.wait.module, found.wait.call.term.site, "the other ranks wait here"),
            ),
            data={"timeout": found.timeout},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show a timeout."""
    code = suspect.data["timeout"]
    return SetKeyword(Applicability.DISPLAY, "Pass a longer timeout", call=suspect.spot, keyword="timeout", value=code)
