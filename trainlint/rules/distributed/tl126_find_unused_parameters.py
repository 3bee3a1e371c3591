"""TL126 find-unused-parameters. Its page, which is also its test: rules/distributed/TL126-find-unused-parameters.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL126",
    name="find-unused-parameters",
    summary="DDP that looks for parameters without gradients in every step",
    level=Level.ADVICE,
    certainty="heuristic",
    fix="none",
    needs=("unused-search",),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that asks for the search whatever happens."""
    from trainlint.authoring import unused_parameters

    for found in unused_parameters.searches(program):
        site = found.site
        yield Suspect(
            path=site.module,
            spot=site.call.term[4],
            node="Call",
            statement=site.call.statement,
            message="DDP looks for parameters without gradients in every step here, which goes through the whole graph\n"
            "Leave it out if all parameters take part in each step: DDP raises an error in the second one if they do not.",
        )
