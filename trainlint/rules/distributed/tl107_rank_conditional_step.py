"""TL107 rank-conditional-step. Its page, which is also its test: rules/distributed/TL107-rank-conditional-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL107",
    summary="a forward or backward pass, or an optimizer or scheduler step, of a data-parallel or sharded model on some "
    "ranks only",
    needs=("parallel", "gradient", "collective", "rank"),
)

#: What steps, what is then another thing on each rank, and what to do.
_STEPS = {
    "step": ("the optimizer's `step()`", "weights"),
    "schedule": ("the scheduler's `step()`", "learning rates"),
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each pass and step of what all ranks train, and each synchronised metric, that some ranks run alone."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.of_sort(
        program,
        "step",
        "{step}",
        "Run it on every rank. To try the model on one rank, use the unwrapped model (`.module` of DDP) without gradients; a "
        "sharded model needs all ranks in every pass.",
    )
    yield from _drifting(program)


def _drifting(program: Program) -> Iterator[Suspect]:
    """The steps that leave the replicas with other weights, or other learning rates."""
    from trainlint.spmd import updates

    for found in updates.updates(program):
        what, differs = _STEPS[found.event.kind]
        if found.told:
            message = (
                f"{what} gets a different value on each rank ({found.whose}): the {differs} of the replicas diverge\n"
                "A scheduler that gets a different metric on each rank lowers the learning rate at a different time "
                "there. All-reduce the value first."
            )
        elif found.whose:
            message = (
                f"{what} is conditional on {found.whose}: the {differs} of the replicas diverge\n"
                "The gradients are the same on all ranks, so all ranks must step, or none: all-reduce the decision "
                "first."
            )
        else:
            message = (
                f"{what} runs on {found.reach} only: the {differs} of the replicas diverge\n"
                "Nothing copies them to the other ranks afterwards: all ranks have the same gradients, and must make "
                "the same step. Keep only writing and printing under the test."
            )
        reasons = [] if found.test is None else [Reason(*found.test, "not all ranks take the same branch here")]
        yield Suspect(
            path=found.event.frame.module,
            spot=found.event.spot,
            node="Call",
            statement=found.event.statement,
            message=message,
            because=(*reasons, *(Reason(*origin) for origin in found.origins)),
        )
