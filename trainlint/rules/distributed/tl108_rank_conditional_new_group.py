"""TL108 rank-conditional-new-group. Its page, which is also its test: rules/distributed/TL108-rank-conditional-new-group.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Hoist, Level, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL108",
    name="rank-conditional-new-group",
    summary="a process group that is made by some ranks only",
    level=Level.ERROR,
    certainty="flow",
    fix="unsafe",
    needs=("collective", "rank"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each making of a group that some ranks leave out."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.of_sort(
        program,
        "new-group",
        "`{collective}`",
        "Every rank takes part in making a group, member or not; otherwise the next group is never complete. Make it on all "
        "ranks, in the same order, and test for membership where it is used.",
    )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Move the making of the group out of the test."""
    if not suspect.data["movable"]:
        return None  # other conditions or other collectives would have to move with it
    return Hoist(
        Applicability.UNSAFE,
        "Move the making of the group out of the rank test",
        statement=suspect.statement,
        guard=suspect.data["guard"],
    )
