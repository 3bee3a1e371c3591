"""TL712 batch-scheduler-per-epoch. Its page, which is also its test: rules/loop/TL712-batch-scheduler-per-epoch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL712",
    summary="a scheduler that counts batches and is stepped once per epoch, or the reverse",
    needs=("gradient", "step-part"),
)

_WHAT = {
    "epoch": "this scheduler's length is in batches, but `step()` is called once per epoch: it covers only a fraction of its "
    "schedule\n"
    "Call it after each optimizer step, or pass the number of epochs to its constructor.",
    "batch": "this scheduler's length is in epochs, but `step()` is called for every batch: the schedule ends long before "
    "the training\n"
    "Call it once per epoch, after the loop over the batches, or pass the number of batches to its constructor.",
    "both": "`step()` is called once per epoch on a scheduler that is already stepped for every batch: its schedule runs ahead "
    "by one step per epoch\n"
    "Keep one of the two calls: the one that matches what its constructor counts.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each step of a scheduler that comes too seldom or too often."""
    from trainlint.domains.training_step import scheduler_steps

    for found in scheduler_steps.wrong(program):
        place, made = found.event.place, found.made
        assert made.call is not None
        assert made.frame is not None
        counts = "batches" if found.how == "epoch" else "epochs"
        reason = Reason(made.frame.module, made.call.site, f"`{found.counted}` is a number of {counts}")
        if found.how == "both":
            reason = Reason(found.step.frame.module, found.step.spot, "the same scheduler is stepped here for every batch")
        yield at_place(
            place,
            message=_WHAT[found.how],
            because=(reason,),
            data={
                "statement": place.statement,
                "target": found.target.statement if found.target is not None else None,
                "past": found.step.inner[0].spot if found.step.inner else None,
            },
        )
    for each in scheduler_steps.configured(program):
        item, often = each.cure
        yield Suspect(
            path=each.module,
            spot=each.made.site,
            node="Call",
            statement=each.made.site,
            message="this scheduler's length is in batches, but the framework steps it once per epoch: it covers only a "
            "fraction of its schedule\n"
            f'Return it in a dict with `"{item}": "{often}"` beside it, or pass the number of epochs to its constructor.',
            because=(Reason(*each.place, f'it is returned to the framework here, without `"{item}": "{often}"`'),),
            data={"target": None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the scheduler stepped behind the optimizer."""
    data = suspect.data
    if data["target"] is None:
        return None
    message = "Step the scheduler once per batch"
    target, past = data["target"], data["past"]
    return Move(Applicability.DISPLAY, message, statement=data["statement"], target=target, behind=True, inside=True, past=past)
