"""TL402 clip-before-unscale. Its page, which is also its test: rules/precision/TL402-clip-before-unscale.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, InsertBefore, Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program
    from trainlint.domains.training_step import clipping

RULE = Rule(
    code="TL402",
    name="clip-before-unscale",
    summary="gradients that are clipped while a GradScaler's factor is still in them",
    level=Level.ERROR,
    certainty="flow",
    fix="safe",
    needs=("scaler", "step-part"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each clip of scaled gradients, and each second `unscale_` in one step."""
    from trainlint.domains.training_step import clipping

    scaled = (*clipping.clipped_scaled(program), *clipping.clipped_copies(program), *clipping.clipped_scaled_by_hand(program))
    for found in scaled:
        yield Suspect(
            path=found.place.frame.module,
            spot=found.place.call.site,
            node="Call",
            statement=found.place.statement,
            message=_message(found),
            because=tuple(_reasons(found)),
            data={"before": found.place.statement, "code": found.unscales},
        )


def _message(found: clipping.Scaled) -> str:
    if found.again:
        return (
            "these gradients have been unscaled already in this step: the second `unscale_` raises\n"
            "`unscale_` may be called once for an optimizer between two calls of `update`; leave one of them out."
        )
    if found.copies == "may":
        return (
            "at level O2 these are not the gradients that the optimizer uses: apex gives it copies of the parameters\n"
            "The model's own are then still scaled and thrown away. Clip `amp.master_params(optimizer)`, right at any level."
        )
    if found.copies == "yes":
        return (
            "these are not the gradients that the optimizer uses: apex gives it copies of the parameters (O2)\n"
            "The model's own are still scaled and thrown away. Clip `amp.master_params(optimizer)`, right at any level."
        )
    if found.by_hand:
        return (
            "the gradients are clipped while they are still multiplied by the scale of the loss: only noise is left of them\n"
            "They are divided by it afterwards. Divide first, then clip."
        )
    missing = found.unscales or "scaler.unscale_(optimizer)"
    return (
        "the gradients are clipped while they are still multiplied by the scale of the loss: only noise is left of them\n"
        f"With a scale of 65536 a norm of 1 is clipped as if it were 65536. Call `{missing}` before."
    )


def _reasons(found: clipping.Scaled) -> Iterator[Reason]:
    """The scaled backward pass, the clip where it is a helper's, the step."""
    place = (found.place.frame.module, found.place.call.site)
    first = "they are unscaled here" if found.again else "the loss is scaled here, and its gradients with it"
    yield Reason(found.backward.frame.module, found.backward.spot, first)
    if (found.clip.frame.module, found.clip.spot) != place:
        what = "a second time here" if found.again else "they are clipped here"
        yield Reason(found.clip.frame.module, found.clip.spot, what)
    if not found.again and found.copies == "no" and not found.by_hand:
        yield Reason(found.step.frame.module, found.step.spot, "the scaler divides by its scale only now")


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Unscale the gradients before they are clipped."""
    code = suspect.data["code"]
    if code is None:
        return None
    message = "Unscale the gradients before they are clipped"
    return InsertBefore(Applicability.SAFE, message, statement=suspect.data["before"], code=code)
