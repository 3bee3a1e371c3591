"""TL405 backward-under-autocast. Its page, which is also its test: rules/precision/TL405-backward-under-autocast.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Move, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL405",
    name="backward-under-autocast",
    summary="a backward pass that runs while autocast is on",
    level=Level.WARNING,
    certainty="flow",
    fix="unsafe",
    needs=("autocast", "gradient"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass under an autocast."""
    from trainlint.domains.precision import backward

    for found in backward.covered(program):
        opened = found.autocast
        yield Suspect(
            path=found.frame.module,
            spot=found.call.site,
            node="Call",
            statement=found.statement,
            message="the backward pass runs under autocast, which is for the forward pass and the loss only\n"
            "Each backward operation takes the precision of its forward operation by itself. What runs on its way besides, a "
            "hook or a function of your own, is cast once more.",
            because=(Reason(opened.frame.module, opened.call.site, "autocast is on from here"),),
            data={"statement": found.statement, "block": found.block},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Leave the autocast before the backward pass."""
    block = suspect.data["block"]
    if block is None:
        return None
    message = "Run the backward pass behind the autocast block"
    return Move(Applicability.UNSAFE, message, statement=suspect.data["statement"], target=block, behind=True)
