"""TL702 gradients-cleared-before-step. Its page, which is also its test: rules/loop/TL702-gradients-cleared-before-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL702",
    summary="gradients that are cleared before the optimizer has used them",
    needs=("gradient", "step-part"),
    protocols="domains.training_step.zero_grad",
)

_LOST = {
    "between": "`zero_grad()` runs between `backward()` and `step()`: the gradients are cleared before the optimizer uses them",
    "window": "`zero_grad()` runs in every iteration, but `step()` only in some: the gradients of the iterations in between "
    "are lost",
    "last": "`zero_grad()` runs before the last backward pass of an accumulation window: the earlier gradients are lost",
    "inner": "`zero_grad()` runs before each backward pass, but `step()` only after the loop: only the last batch counts",
    "context": "`model.zero_grad()` runs for every batch, but `accumulate()` skips `optimizer.step()` for most of them: their "
    "gradients are lost",
}
_WHY = {
    "between": "The step changes nothing. Call `zero_grad()` after the step, or before the backward pass.",
    "window": "To accumulate gradients over several iterations, clear them only after a step.",
    "last": "To accumulate gradients over several iterations, clear them after the step.",
    "inner": "To accumulate gradients over the loop, clear them before the loop or after the step.",
    "context": "Call `zero_grad()` on the optimizer that `prepare()` returned: accelerate skips it whenever it skips the step.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each `zero_grad` that throws gradients away which a step was to use."""
    from trainlint.domains.training_step import zero_grad

    for found in zero_grad.lost(program):
        place, step = found.clear.place, found.step.place
        own = not found.backward.is_part_of_call  # else the window is decided in the call, and no test is around it
        near = place.frame is step.frame and found.when in ("between", "window") and own
        doubt = found.doubt
        yield at_place(
            place,
            message=f"{_LOST[found.when]}\n{_WHY[found.when]}",
            because=(
                Reason(found.backward.frame.module, found.backward.spot, "the gradients are computed here"),
                Reason(step.frame.module, step.call.site, "the optimizer should apply them here"),
                *(
                    (Reason(doubt.frame.module, doubt.spot, "unless this call steps, too; its source is not available"),)
                    if doubt
                    else ()
                ),
            ),
            evidence="must" if doubt is None and found.sure else "likely",
            data={"statement": place.statement, "target": step.statement if near else None, "inside": found.when == "window"},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Empty the gradients when they have been applied."""
    statement, target, inside = (suspect.data[key] for key in ("statement", "target", "inside"))
    if target is None:
        return None
    message = "Clear the gradients after the step"
    return Move(Applicability.SAFE, message, statement=statement, target=target, behind=True, inside=inside)
