"""TL105 rank-conditional-sharded-state. Page and test: rules/distributed/TL105-rank-conditional-sharded-state.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, HoistValue, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL105",
    summary="the state of a sharded model gathered under a test on the rank: gathering it needs all ranks",
    needs=("parallel", "collective", "rank"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield what gathers the state of a sharded model on some ranks only, or saves the shards of one."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.of_sort(
        program,
        "sharded-state",
        "`{collective}` of a sharded model",
        "Every rank holds a shard of the model, and the result needs all of them. Call it on every rank, and keep only the "
        "writing under the test.",
    )
    yield from divergence_report.own_shards(program)


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Gather the state above the test, and leave in the test what is done with it."""
    if not suspect.data["movable"] or not suspect.data["direct"]:
        return None  # other conditions or other collectives would have to move with it, or it is inside a called function
    return HoistValue(
        Applicability.UNSAFE,
        "Gather on every rank, above the rank test",
        call=suspect.spot,
        statement=suspect.statement,
        guard=suspect.data["guard"],
        names=("state", "full_state", "gathered_state"),
    )
