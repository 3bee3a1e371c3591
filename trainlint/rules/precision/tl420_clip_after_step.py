"""TL420 clip-after-step. Its page, which is also its test: rules/precision/TL420-clip-after-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL420",
    summary="gradients that are clipped after the step that uses them, or before there are any",
    needs=("gradient", "step-part"),
    protocols="domains.training_step.clipping",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each clip behind the step that it is meant for, or before the backward pass."""
    from trainlint.domains.training_step import clipping
    from trainlint.program.naming import quoted

    for hit in clipping.idle(program):
        clip, late = hit.moment.own.place, hit.report == "after"
        step = hit.moment.last("step") if late else hit.moment.event
        other = step.place
        where = "after the step that it is meant for" if late else "before the backward pass"
        note = "the optimizer has already used the gradients here, unclipped" if late else "the gradients are computed only here"
        here = clip.frame is other.frame and step.way != "scaled"
        yield at_place(
            clip,
            message=f"{quoted(clip.call)} has no effect here, {where}\n"
            "Gradients must be clipped between `backward()` and `optimizer.step()`; the next `zero_grad()` discards "
            "these.",
            because=(Reason(other.frame.module, other.call.site, note),),
            data={"statement": clip.statement, "target": other.statement if here else None, "behind": not late},
        )
    for early in clipping.before_the_framework(program):
        yield at_place(
            early.place,
            message=f"{quoted(early.place.call)} has no effect here, before the backward pass\n"
            "The framework clears the gradients and computes new ones after this method has returned the loss. Clip in its "
            "hook for that (`configure_gradient_clipping`), or let it clip (`gradient_clip_val`, `max_grad_norm`).",
            data={"statement": early.statement, "target": None, "behind": False},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Clip between the backward pass and the step."""
    data = suspect.data
    if data["target"] is None:
        return None
    message = "Clip between the backward pass and the step"
    return Move(Applicability.SAFE, message, statement=data["statement"], target=data["target"], behind=data["behind"])
