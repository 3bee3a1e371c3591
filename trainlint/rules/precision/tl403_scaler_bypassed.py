"""TL403 scaler-bypassed. Its page, which is also its test: rules/precision/TL403-scaler-bypassed.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Replace, Rule, Suspect, Together, at_place

RULE = Rule.ours(
    code="TL403",
    summary="an optimizer step that bypasses the scaler of its gradients, or goes through a scaler that scaled nothing",
    needs=("scaler", "step-part"),
    protocols="domains.training_step.bypassed",
)

_MESSAGES = {
    "plain": "`optimizer.step()` bypasses the `GradScaler`: the gradients are still multiplied by the loss scale (65536 at "
    "first)\n"
    "After `scaler.scale(loss).backward()`, call `scaler.step(optimizer)`: it unscales the gradients and skips the "
    "step when they overflow.",
    "unscaled": "`scaler.step()` raises here: the scaler has scaled no loss in this iteration, so it has no gradients to "
    "check\n"
    "Call `scaler.scale(loss).backward()` instead of `loss.backward()`.",
    "another": "`scaler.unscale_()` was called for a different optimizer than the one that steps here\n"
    "`unscale_` and `step` must be given the same optimizer.",
}
_NOTES = {
    "plain": "the loss is scaled here, and its gradients with it",
    "unscaled": "this loss is not scaled",
    "another": "the gradients of this optimizer were unscaled",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each step that does not go with the gradients that are there."""
    from trainlint.domains.training_step import bypassed

    for found in bypassed.bypassed(program):
        yield at_place(
            found.place,
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
