"""TL102 collective-after-rank-exit. Its page, which is also its test: rules/distributed/TL102-collective-after-rank-exit.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Rule, StayFor, Suspect

RULE = Rule.ours(
    code="TL102",
    summary="a collective that some ranks never reach because of an earlier exit",
    needs=("collective", "rank"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each collective that the ranks which left early have no counterpart for."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.rank_suspects(
        program,
        "exit",
        "`{collective}` is never reached by {left}: {rest_hang} there\n"
        "A collective completes when every rank of its group has called it. Let every rank reach it, and skip only "
        "rank-specific work.",
        "{miss_take} this exit, {reach_go} on",
    )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how those who leave could run the collective first."""
    if not suspect.data["alone"] or not suspect.data["returns"]:
        return None  # further on, or in the next round, there is more that they miss
    return StayFor(
        Applicability.DISPLAY,
        "Let every rank reach the collective",
        guard=suspect.data["guard"],
        statement=suspect.statement,
        falls=suspect.data["falls"],
        waits=suspect.data["lone"],
    )
