"""TL603 incomplete-checkpoint. Its page, which is also its test: rules/checkpoints/TL603-incomplete-checkpoint.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL603",
    summary="a checkpoint that training resumes from, without the scheduler, the scaler or the optimizer of that training",
    needs=("gradient", "step-part", "state"),
)

_WORDS = {"scheduler": "learning rate scheduler", "scaler": "loss scaler", "average": "averaged weights"}
_ARE = {"scheduler": "is", "scaler": "is", "average": "are"}
_HARM = {
    "scheduler": "After a resume it starts from scratch: the learning rate is that of the first epochs again. Save its "
    "`state_dict()`, too.",
    "scaler": "After a resume it starts from scratch, and steps are skipped until its scale fits. Save its `state_dict()`, too.",
    "average": "After a resume the average starts over from the weights of that moment. Save its state, too.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each saved state of an optimizer beside which a scheduler or a scaler is forgotten."""
    from trainlint.domains.checkpoints import incomplete

    for found in incomplete.forgotten(program):
        call = found.saved.site.call
        restored = found.restored.site
        what = f"the {_WORDS[found.kind]} {_ARE[found.kind]}"
        reasons = [
            Reason(
                found.module,
                found.node.term.site,
                f"the {_WORDS[found.kind]} {_ARE[found.kind]} constructed here, and never saved",
            ),
            Reason(restored.module, restored.call.term.site, "training resumes from the saved state here"),
        ]
        if found.called is not None:
            what = f"the {_WORDS[found.kind]} {_ARE[found.kind]} used in the code that calls this, which may train this optimizer"
            reasons.append(Reason(found.called.module, found.called.call.term.site, what))
        yield at_call(
            found.saved.site.module,
            call,
            message=f"the checkpoint has the optimizer's `state_dict`, but not that of its "
            f"{_WORDS[found.kind]}\n{_HARM[found.kind]}",
            because=tuple(reasons),
            evidence="must" if found.sure and found.called is None else "likely",
            data={"code": found.code, "statement": found.statement},
        )
    for lost in incomplete.dropped(program):
        load = lost.resumption.load
        assert load.frame is not None
        assert load.call is not None
        yield Suspect(
            path=lost.frame.module,
            spot=lost.call.site,
            node="Call",
            statement=lost.call.site,
            message="training resumes from this checkpoint, which does not contain the optimizer's `state_dict`\n"
            "After a resume momentum and moment estimates start at zero, and the loss may jump. Save "
            "`optimizer.state_dict()`, too.",
            because=(
                Reason(load.frame.module, load.call.site, "the checkpoint is loaded here"),
                Reason(lost.resumption.module, lost.resumption.loop.spot, "training resumes from it here"),
            ),
        )
    for record in incomplete.lost_records(program):
        resumed = record.resumption
        yield Suspect(
            path=record.module,
            spot=record.save.site,
            node="Call",
            statement=record.save.site,
            message="no checkpoint contains the best result so far, which decides whether this one is saved\n"
            "After a resume the first result counts as the best one, and may replace a better checkpoint. Save that "
            "result, too.",
            because=(
                Reason(record.other.site.module, record.other.site.call.term.site, "the checkpoint is saved here, without it"),
                Reason(resumed.module, resumed.loop.spot, "training resumes here, and the best result starts from a constant"),
            ),
            evidence="likely",
        )
    for never in incomplete.unsaved(program):
        yield Suspect(
            path=never.module,
            spot=never.taken.site,
            node="Call",
            statement=never.node.spot,
            message=f"this state is saved only if `{never.key}` is in the dict already, and it never is: the dict was just "
            "created\n"
            "Test whether there is something to save, not whether it was saved.",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the state is restored beside that of the optimizer."""
    code = suspect.data.get("code")
    if code is None:
        return None
    return InsertAfter(
        Applicability.DISPLAY, "Save the state, too, and restore it here", statement=suspect.data["statement"], code=code
    )
