"""TL705 train-mode-not-restored. Its page, which is also its test: rules/loop/TL705-train-mode-not-restored.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import (
    Applicability,
    Change,
    InsertAfter,
    InsertBefore,
    InsertFirst,
    Program,
    Reason,
    Rule,
    Suspect,
    at_call,
)

RULE = Rule.ours(
    code="TL705",
    summary="a model that stays in evaluation mode when the loop trains it again",
    needs=("gradient",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call of ``eval()`` in a loop whose next round trains the model in evaluation mode."""
    from trainlint.domains.train_mode.left_in_evaluation import left_by_hooks, left_in_evaluation, place_of
    from trainlint.program import naming

    for left in left_in_evaluation(program):
        call, frame = left.setting.call, left.setting.frame
        assert call is not None
        assert frame is not None
        receiver = naming.receiver(call.term)
        name = naming.model_in(receiver, frame.function) if receiver is not None else None
        model = f"`{name}`" if name is not None else "the model"
        again = Reason(
            left.trains.frame.module, left.trains.call.term.site, "the next iteration trains it here, in evaluation mode"
        )
        yield at_call(
            frame.module,
            call,
            message=f"`train()` is not called on {model} after this evaluation: the next iteration of the loop trains it in "
            "evaluation mode\n"
            "From then on dropout is off and batch norm normalizes with frozen statistics: the model silently trains worse.",
            evidence="likely" if left.several else "must",
            because=(again, Reason(left.frame.module, left.loop.spot, "the loop")),
            data={"place": place_of(left)},
        )
    for hook in left_by_hooks(program):
        call, frame = hook.setting.call, hook.setting.frame
        assert call is not None
        assert frame is not None
        receiver = naming.receiver(call.term)
        name = naming.model_in(receiver, frame.function) if receiver is not None else None
        model = f"`{name}`" if name is not None else "the model"
        yield at_call(
            frame.module,
            call,
            message=f"`train()` is not called on {model} after this evaluation: the framework trains it in evaluation mode "
            "in the next epoch\n"
            "From then on dropout is off and batch norm no longer updates its running statistics: no error, but a "
            "worse model.",
            because=(Reason(frame.module, frame.function.spot, "the framework does not restore training mode after this hook"),),
            data={"place": hook.place},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Call ``train()`` where the loop, or the evaluation, comes to its other end."""
    place = suspect.data["place"]
    if place is None:
        return None
    code, message = f"{place.model}.train()", "Call `train()` before training goes on"
    if place.where == "first":
        return InsertFirst(Applicability.SAFE, message, block=place.spot, code=code)
    if place.where == "before":
        return InsertBefore(Applicability.SAFE, message, statement=place.spot, code=code)
    return InsertAfter(Applicability.SAFE, message, statement=place.spot, code=code)
