"""TL706 unscaled-accumulation. Its page, which is also its test: rules/loop/TL706-unscaled-accumulation.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Replace, Rule, Suspect

RULE = Rule.ours(
    code="TL706",
    summary="gradients that are accumulated over several batches while the loss is not divided by their number",
    needs=("gradient", "step-part"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass in a window of batches whose loss nobody divides."""
    from trainlint.domains.training_step import accumulation

    for found in accumulation.undivided(program):
        backward, step = found.backward, found.step.place
        size = f"`{found.window}`" if found.window is not None else "several"
        number, times = (size, size) if found.window is not None else ("their number", "several")
        yield Suspect(
            path=backward.frame.module,
            spot=backward.spot,
            node="Call",
            statement=backward.statement,
            evidence="must" if found.sure else "likely",
            message=f"the gradients of {size} batches are accumulated, but the loss is not divided by {number}\n"
            f"{'' if found.sure else 'In some cases the loss is multiplied by a factor, which may be this division. '}"
            f"The gradients are {times} times as large as those of one large batch: clipping applies sooner, and SGD takes "
            "larger steps (Adam is hardly affected). Divide the loss by the number of batches.",
            because=(Reason(step.frame.module, step.call.site, "the optimizer steps once for all of them"),),
            data={"call": backward.spot, "code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Differentiate a share of the loss."""
    code = suspect.data["code"]
    if code is None:
        return None
    return Replace(Applicability.SAFE, "Divide the loss by the number of batches", spot=suspect.data["call"], code=code)
