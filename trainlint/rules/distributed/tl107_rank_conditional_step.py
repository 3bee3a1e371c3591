"""TL107 rank-conditional-step. Its page, which is also its test: rules/distributed/TL107-rank-conditional-step.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL107",
    name="rank-conditional-step",
    summary="a pass of a data-parallel or sharded model under a test on the rank",
    level=Level.ERROR,
    certainty="flow",
    fix="none",
    needs=("parallel", "gradient", "collective", "rank"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each pass of a model that all ranks train, and each synchronised metric, that some ranks run alone."""
    from trainlint.authoring import explain

    yield from explain.of_sort(
        program,
        "step",
        "this {collective} of what all ranks compute together",
        "Run it on every rank. To try the model on one rank, use the unwrapped model (`.module` of DDP) without gradients; a "
        "sharded model needs all ranks in every pass.",
    )
