"""TL108 rank-conditional-new-group. Its page, which is also its test: rules/distributed/TL108-rank-conditional-new-group.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Hoist, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL108",
    summary="a process group that only some ranks create",
    needs=("collective", "rank"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each making of a group that some ranks leave out."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.of_sort(
        program,
        "new-group",
        "`{collective}`",
        "Creating a group is collective: every rank must call it, member or not, or the next group never forms. Call it on all "
        "ranks, in the same order, and test for membership where the group is used.",
    )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Move the making of the group out of the test."""
    if not suspect.data["movable"]:
        return None  # other conditions or other collectives would have to move with it
    return Hoist(
        Applicability.UNSAFE,
        "Move the creation of the group out of the rank test",
        statement=suspect.statement,
        guard=suspect.data["guard"],
    )
