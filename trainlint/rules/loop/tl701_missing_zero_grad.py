"""TL701 missing-zero-grad. Its page, which is also its test: rules/loop/TL701-missing-zero-grad.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL701",
    summary="a training loop that applies gradients and never clears them",
    needs=("gradient", "step-part"),
    protocols="domains.training_step.zero_grad",
)


_WHY = (
    "`backward()` adds to `.grad`, so every step uses the sum of the gradients of all batches so far. Call `zero_grad()` "
    "once per step."
)
_PILED = f"`zero_grad()` is never called in this loop: the gradients that {{}} applies accumulate across all iterations\n{_WHY}"
_BRANCHED = (
    "`zero_grad()` is called in the other branch only: the gradients that {} applies accumulate across all iterations\n" + _WHY
)
_DOUBTED = (
    f"no `zero_grad()` is visible in this loop: the gradients that {{}} applies seem to accumulate across all iterations\n{_WHY}"
)

_BY_NAME = "this loop calls a method of that name, maybe this one, and nothing clears them in it"


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each optimizer step in a loop in which nothing empties the gradients that it applies."""
    from trainlint.domains.training_step import zero_grad
    from trainlint.program import naming

    for found in zero_grad.uncleared(program):
        step, backward = found.step, found.backward
        module, loop = found.named or (found.round.frame.module, found.round.loop)
        assert loop is not None
        assert step.thing is not None
        place = step.place
        receiver = step.thing.term if place.call is step.term else naming.receiver(place.call)
        name = naming.name_in(receiver, place.frame.function) if receiver is not None else None
        reasons = [
            Reason(backward.frame.module, backward.spot, "each backward pass adds to the existing gradients"),
            Reason(module, loop.spot, "nothing clears them in this loop" if found.named is None else _BY_NAME)
            if found.other is None
            else Reason(
                found.other.frame.module, found.other.spot, "only this call clears them, and it never runs along with that step"
            ),
        ]
        if found.doubt is not None:
            reasons.append(
                Reason(found.doubt.frame.module, found.doubt.spot, "unless this call does; its source is not available")
            )
        doubted = found.doubt is not None or found.named is not None
        words = _BRANCHED if found.other is not None else _DOUBTED if doubted else _PILED
        yield at_place(
            place,
            message=words.format(_called(name)),
            because=tuple(reasons),
            evidence="likely" if doubted else "must",
            data={"after": place.statement, "name": name},
        )
    for _, at in zero_grad.mixed(program):
        place, clear = at.own.place, at.last("clear")
        other = next(each for each in at.trail if each.kind == "backward")
        name = naming.name_in(at.own.thing.term, place.frame.function) if at.own.thing is not None else None
        yield at_place(
            place,
            message=f"{_called(name)} also applies the gradients of another optimizer's loss\n"
            "That loss is computed through this model, too, and its backward pass adds to `.grad` after `zero_grad()`. "
            "Call `zero_grad()` directly before the backward pass of this model's own loss.",
            because=(
                Reason(other.frame.module, other.spot, "this backward pass goes through the model as well"),
                Reason(clear.frame.module, clear.spot, "the gradients are cleared before that only"),
            ),
            evidence="likely",
            data={"after": place.statement, "name": None},
        )


def _called(name: str | None) -> str:
    return f"`{name}`" if name is not None else "the optimizer"


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Empty the gradients when they have been applied."""
    name = suspect.data["name"]
    if name is None:
        return None
    message = "Clear the gradients after each step"
    return InsertAfter(Applicability.SAFE, message, statement=suspect.data["after"], code=f"{name}.zero_grad()")
