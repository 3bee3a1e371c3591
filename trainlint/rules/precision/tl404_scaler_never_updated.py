"""TL404 scaler-never-updated. Its page, which is also its test: rules/precision/TL404-scaler-never-updated.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL404",
    summary="a loop that steps through a scaler and never updates it",
    needs=("scaler", "step-part"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the last step of each round that steps through a scaler which nothing in the loop updates."""
    from trainlint.domains.training_step import bypassed

    for found in bypassed.not_updated(program):
        place, loop = found.step.place, found.round.loop
        assert loop is not None
        yield at_place(
            place,
            message="`scaler.update()` is never called in this loop: the second iteration raises\n"
            "`update()` ends a step: it adjusts the scale for the next one and resets which gradients were unscaled.",
            because=(Reason(found.round.frame.module, loop.spot, "the loop that steps repeatedly"),),
            data={"after": place.statement, "code": found.code if place.call is found.step.term else None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Update the scaler behind the last step."""
    code = suspect.data["code"]
    if code is None:
        return None
    return InsertAfter(Applicability.SAFE, "Update the scaler after the step", statement=suspect.data["after"], code=code)
