"""TL101 rank-conditional-collective. Its page, which is also its test: rules/distributed/TL101-rank-conditional-collective.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Hoist, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL101",
    summary="a collective that only some ranks reach because of a test on the rank",
    needs=("collective", "rank"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each collective in one branch of a rank test for which the other ranks have no counterpart."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.rank_suspects(
        program,
        "branch",
        "`{collective}` runs {only} and hangs there{when}: {rest_never_reach} it\n"
        "A collective completes when every rank of its group has called it. Move the call out of the test, and keep only "
        "rank-specific work inside.",
        "{reach_get} past this test, {miss_do} not",
    )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Move the collective out of the test."""
    if not suspect.data["movable"] or not suspect.data["direct"]:
        return None  # other conditions, other collectives or the work of a callee would have to move with it
    lone = suspect.data["lone"]
    return Hoist(
        Applicability.SAFE if lone else Applicability.UNSAFE,
        "Move the collective out of the rank test",
        statement=suspect.statement,
        guard=suspect.data["guard"],
    )
