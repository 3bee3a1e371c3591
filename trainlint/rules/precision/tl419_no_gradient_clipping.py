"""TL419 no-gradient-clipping. Its page, which is also its test: rules/precision/TL419-no-gradient-clipping.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertBefore, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL419",
    summary="a recurrent or attention model that is trained without gradient clipping",
    certainty="heuristic",
    needs=("gradient", "step-part"),
)

_HAS = {True: "the model uses `{}`", False: "the model uses `{}` in some configurations"}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each step that applies gradients which nothing clips."""
    from trainlint.domains.training_step import clipping

    for found in clipping.unclipped(program):
        place, layer = found.step.place, found.layer
        yield at_place(
            place,
            message="no `clip_grad_norm_` in this loop: gradients are applied however large they are\n"
            "In a recurrent or attention model a single bad batch can ruin the weights. Call it before the "
            "step.",
            because=(
                Reason(found.backward.frame.module, found.backward.spot, "the gradients are computed here"),
                Reason(layer.module, layer.spot, _HAS[layer.sure].format(layer.name.removeprefix("torch.nn."))),
            ),
            data={"before": place.statement, "code": found.code},
            evidence="must" if layer.sure else "likely",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Clip before the step."""
    code = suspect.data["code"]
    if code is None:
        return None
    return InsertBefore(Applicability.UNSAFE, "Clip the gradients before the step", statement=suspect.data["before"], code=code)
