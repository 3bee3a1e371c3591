"""TL406 scaler-with-bfloat16. Its page, which is also its test: rules/precision/TL406-scaler-with-bfloat16.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect, at_place

RULE = Rule.ours(
    code="TL406",
    summary="loss scaling in a loop that computes in bfloat16",
    needs=("scaler", "step-part"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each scaled backward pass of a loss that was computed in bfloat16."""
    from trainlint.domains.precision import loss_scaling

    for found in loss_scaling.needless(program):
        place, autocast = found.backward.place, found.forward.autocast
        maker = found.maker[1].site if found.maker is not None and found.maker[0] == place.frame.module else None
        reasons = [Reason(autocast.frame.module, autocast.call.site, "the forward pass runs in bfloat16")]
        if found.maker is not None:
            reasons.append(Reason(found.maker[0], found.maker[1].site, "the scaler is constructed here"))
        yield at_place(
            place,
            message="`GradScaler` scales a loss that is computed in bfloat16, which has the range of float32\n"
            "Its gradients do not underflow. The scaler only costs time: it synchronizes with the GPU in each step, "
            "and skips some steps.",
            because=tuple(reasons),
            data={"maker": maker},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the scaler is switched off."""
    maker = suspect.data["maker"]
    if maker is None:
        return None
    return SetKeyword(Applicability.DISPLAY, "Disable the scaler", call=maker, keyword="enabled", value="False")
