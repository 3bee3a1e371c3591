"""TL403 scaler-bypassed. Its page, which is also its test: rules/precision/TL403-scaler-bypassed.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, InsertAfter, Level, Reason, Replace, Rule, Suspect, Together

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL403",
    name="scaler-bypassed",
    summary="an optimizer step that does not go through the scaler of its gradients, or goes through one that scaled nothing",
    level=Level.ERROR,
    certainty="flow",
    fix="safe",
    needs=("scaler", "step-part"),
    since="0.1",
)

_MESSAGES = {
    "plain": "this applies gradients that are still multiplied by the scaler's factor: the step is 65536 times too long\n"
    "After `scaler.scale(loss).backward()` the optimizer steps through the scaler, which divides and leaves out overflows: "
    "`scaler.step(optimizer)`.",
    "unscaled": "this scaler has scaled nothing in this round: `step` raises, since it has no gradients to look at\n"
    "Call `scaler.scale(loss).backward()` instead of `loss.backward()`.",
    "another": "this is not the optimizer whose gradients were unscaled: they are looked after, and another one is stepped\n"
    "`unscale_` and `step` belong to the same optimizer.",
}
_NOTES = {
    "plain": "the loss is scaled here, and its gradients with it",
    "unscaled": "this loss is not scaled",
    "another": "this one's gradients were unscaled",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each step that does not go with the gradients that are there."""
    from trainlint.domains.training_step import gradient_scaler

    for found in gradient_scaler.bypassed(program):
        yield Suspect(
            path=found.place.frame.module,
            spot=found.place.call.site,
            node="Call",
            statement=found.place.statement,
            message=_MESSAGES[found.how],
            because=(Reason(found.other.frame.module, found.other.spot, _NOTES[found.how]),),
            data={"call": found.place.call.site, "statement": found.place.statement, "code": found.code, "update": found.update},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Step through the scaler, and update it where nobody does."""
    data, message = suspect.data, "Step through the scaler"
    if data["code"] is None:
        return None
    step = Replace(Applicability.SAFE, message, spot=data["call"], code=data["code"])
    if data["update"] is None:
        return step
    update = InsertAfter(Applicability.SAFE, message, statement=data["statement"], code=data["update"])
    return Together(Applicability.SAFE, message, changes=(step, update))
