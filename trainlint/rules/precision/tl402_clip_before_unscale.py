"""TL402 clip-before-unscale. Its page, which is also its test: rules/precision/TL402-clip-before-unscale.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, InsertBefore, Program, Reason, Rule, Suspect, at_place

if TYPE_CHECKING:
    from trainlint.domains.training_step import clipping

RULE = Rule.ours(
    code="TL402",
    summary="gradients that are clipped before they are unscaled",
    needs=("scaler", "step-part"),
    protocols="domains.training_step.clipping",
)


_MESSAGES = {
    "twice": "`unscale_()` is called twice for this optimizer in one step: the second call raises\n"
    "It may be called once per optimizer between two calls of `update()`; remove one of them.",
    "perhaps": "`clip_grad_norm_` clips the model's own gradients, but at level O2 apex's optimizer uses those of its float32 "
    "copies\n"
    "The model's own gradients are still scaled there, and are discarded. Clip `amp.master_params(optimizer)`, which is right at "
    "any level.",
    "copies": "`clip_grad_norm_` clips the model's own gradients, but apex's optimizer uses those of its float32 copies (O2)\n"
    "The model's own gradients are still scaled, and are discarded. Clip `amp.master_params(optimizer)`, which is right at any "
    "level.",
    "by hand": "the gradients are clipped before they are unscaled: the threshold applies to gradients multiplied by the loss "
    "scale\n"
    "They are divided by the scale only afterwards, and next to nothing is left of them. Unscale first, then clip.",
    "clip": "the gradients are clipped before `unscale_()`: the threshold applies to gradients multiplied by the loss scale\n"
    "With a scale of 65536 a norm of 1 is clipped as if it were 65536. Call `{missing}` first.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each clip of scaled gradients, and each second `unscale_` in one step."""
    from trainlint.domains.training_step import clipping

    for found in clipping.clipped_scaled(program):
        yield at_place(
            found.place,
            message=_MESSAGES[found.how].format(missing=found.unscales or "scaler.unscale_(optimizer)"),
            because=tuple(_reasons(found)),
            data={"before": found.place.statement, "code": found.unscales},
        )


def _reasons(found: clipping.Scaled) -> Iterator[Reason]:
    """The scaled backward pass, the clip where it is a helper's, the step."""
    again = found.how == "twice"
    if found.backward is not None:
        first = "the gradients are unscaled here" if again else "the loss is scaled here, and its gradients with it"
        yield Reason(found.backward.frame.module, found.backward.spot, first)
    if (found.clip.frame.module, found.clip.spot) != (found.place.frame.module, found.place.call.site):
        what = "the gradients are unscaled a second time here" if again else "the gradients are clipped here"
        yield Reason(found.clip.frame.module, found.clip.spot, what)
    if found.step is not None:
        yield Reason(found.step.frame.module, found.step.spot, "the scaler divides by the scale only here")


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Unscale the gradients before they are clipped."""
    code = suspect.data["code"]
    if code is None:
        return None
    message = "Unscale the gradients before they are clipped"
    return InsertBefore(Applicability.SAFE, message, statement=suspect.data["before"], code=code)
