"""TL405 backward-under-autocast. Its page, which is also its test: rules/precision/TL405-backward-under-autocast.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL405",
    summary="a backward pass that runs while autocast is on",
    needs=("autocast", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass under an autocast."""
    from trainlint.domains.precision import backward

    for found in backward.covered(program):
        opened = found.autocast
        yield at_place(
            found,
            message="`backward()` runs under autocast, which is meant for the forward pass and the loss only\n"
            "Backward operations run in the precision of their forward operations anyway. Hooks and custom autograd "
            "functions on the way are cast a second time.",
            because=(Reason(opened.frame.module, opened.call.site, "autocast is enabled from here on"),),
            data={"statement": found.statement, "block": found.block},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Leave the autocast before the backward pass."""
    block = suspect.data["block"]
    if block is None:
        return None
    message = "Run the backward pass after the autocast block"
    return Move(Applicability.UNSAFE, message, statement=suspect.data["statement"], target=block, behind=True)
