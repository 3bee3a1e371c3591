"""TL710 scheduler-never-stepped. Its page, which is also its test: rules/loop/TL710-scheduler-never-stepped.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL710",
    summary="a learning rate scheduler that is constructed and never stepped",
    needs=("gradient", "step-part"),
)


_NEVER = {
    None: "`step()` is never called on the scheduler: the learning rate keeps its initial value",
    "shared": "`step()` is never called on the scheduler, unless another file imports it: the learning rate keeps its "
    "initial value",
    "unused": "`step()` is never called on the scheduler; its optimizer does not step here either, so other code may step both",
    "returned": "`step()` is never called on the scheduler, and Lightning does not step it when `automatic_optimization` is "
    "False: the learning rate keeps its initial value",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the call that makes each scheduler that never steps."""
    from trainlint.domains.training_step import never_stepped

    for found in never_stepped.schedulers(program):
        yield at_call(
            found.module,
            found.node,
            message=f"{_NEVER[found.doubt]}\n"
            "Call it after `optimizer.step()`, once per epoch or once per batch, depending on the schedule.",
            evidence="must" if found.doubt is None else "likely",
        )
