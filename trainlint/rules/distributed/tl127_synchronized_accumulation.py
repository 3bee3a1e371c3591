"""TL127 synchronized-accumulation. Its page, which is also its test: rules/distributed/TL127-synchronized-accumulation.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertBefore, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL127",
    summary="gradients that DDP all-reduces for every batch of an accumulation window",
    needs=("parallel",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass of a window that communicates for every batch."""
    from trainlint.domains.training_step import accumulation

    for found in accumulation.every_batch(program):
        place, step = found.backward.place, found.step.place
        yield at_place(
            place,
            message="DDP without `no_sync()` all-reduces the gradients of every batch, though the optimizer steps "
            "only once for several\n"
            "Run the forward and backward passes of all but the last batch under `no_sync()`: one all-reduce per "
            "window is enough.",
            because=(Reason(step.frame.module, step.call.site, "the step, once for several batches"),),
            data={"forward": found.forward, "code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the averaging is turned off for all batches but the last."""
    forward, code = suspect.data["forward"], suspect.data["code"]
    if forward is None or code is None:
        return None
    return InsertBefore(Applicability.DISPLAY, "All-reduce for the last batch of the window only", statement=forward, code=code)
