"""TL703 scheduler-before-optimizer. Its page, which is also its test: rules/loop/TL703-scheduler-before-optimizer.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Change, Move, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL703",
    summary="a learning rate scheduler that steps before its optimizer",
    needs=("gradient", "step-part"),
    protocols="domains.training_step.scheduler_steps",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each step of a scheduler that precedes the first step of its optimizer in a round."""
    from trainlint.domains.training_step import scheduler_steps
    from trainlint.flow.events import seen_from
    from trainlint.program.library_uses import applicability, may_be_there

    for _, at in scheduler_steps.early(program):
        place, step, target = at.own.place, at.event.place, seen_from(at.event, at.own.frame)
        if not may_be_there(program, place.frame.module, "scheduler_order"):
            continue  # before, the scheduler stepped first
        yield at_place(
            place,
            message="`scheduler.step()` is called before `optimizer.step()`: the first learning rate of the schedule is "
            "skipped\n"
            "Since PyTorch 1.1 the scheduler steps after the optimizer; here the schedule runs one step ahead.",
            because=(Reason(step.frame.module, step.call.site, "the optimizer steps only here"),),
            data={
                "statement": place.statement,
                "target": target.statement if target is not None else None,
                "safe": applicability(program, place.frame.module, "scheduler_order"),
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Let the scheduler step behind the optimizer."""
    data = suspect.data
    if data["target"] is None:
        return None
    message = "Step the scheduler after the optimizer"
    return Move(data["safe"], message, statement=data["statement"], target=data["target"], behind=True)
