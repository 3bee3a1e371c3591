"""TL106 rank-conditional-framework-save. Page and test: rules/distributed/TL106-rank-conditional-framework-save.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Hoist, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL106",
    summary="a save that all ranks must call, under a test on the rank",
    needs=("collective", "rank"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each save or load of a framework that needs all ranks and is called by some."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.of_sort(
        program,
        "framework-save",
        "`{collective}`",
        "The framework's save is collective: all ranks take part, and it makes sure that each file is written once. Call it "
        "on all ranks, outside the rank test.",
    )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Move the save out of the test."""
    if not suspect.data["movable"]:
        return None  # other conditions or other collectives would have to move with it
    return Hoist(
        Applicability.UNSAFE,
        "Move the save out of the rank test",
        statement=suspect.statement,
        guard=suspect.data["guard"],
    )
