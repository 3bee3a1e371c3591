"""TL708 backward-on-detached-loss. Its page, which is also its test: rules/loop/TL708-backward-on-detached-loss.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL708",
    name="backward-on-detached-loss",
    summary="a backward pass that starts from a number, or from a value that is cut off from its graph",
    level=Level.ERROR,
    certainty="flow",
    fix="none",
    needs=("gradient",),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass of what has no graph."""
    from trainlint.domains.autograd import gradient_free

    for found in gradient_free.dead(program):
        site, why = found.site, found.why
        ended = "computed where no gradients are recorded" if why.word == "no_grad" else f"`{why.word}` ends the graph here"
        yield Suspect(
            path=site.module,
            spot=site.call.term.site,
            node="Call",
            statement=site.call.statement,
            message="this value is cut off from its graph: no gradient reaches the model\n"
            "Compute gradients of the loss itself; what is logged can be detached afterwards.",
            because=(Reason(why.module, why.spot, ended),),
        )
