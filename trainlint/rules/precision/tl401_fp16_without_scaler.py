"""TL401 fp16-without-scaler. Its page, which is also its test: rules/precision/TL401-fp16-without-scaler.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Program, Reason, Replace, Rule, SetKeyword, Spot, Suspect, Together

if TYPE_CHECKING:
    from trainlint.domains.precision import backward

_WHY = "A float16 gradient below 6e-8 is zero, and below 6e-5 it loses precision."

RULE = Rule.ours(
    code="TL401",
    summary="a model trained in float16 autocast without loss scaling",
    needs=("autocast", "scaler", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each float16 autocast whose forward pass is differentiated and stepped on without loss scaling."""
    from trainlint.domains.precision import backward

    for found in backward.unscaled(program):
        call, frame = found.place
        reasons = _reasons(found)
        autocast = found.forward.autocast
        yield Suspect(
            path=frame.module,
            spot=call.site,
            node="Call",
            statement=call.site,  # the statement may be a `with`, which is more than its first line
            message=_message(found),
            because=tuple(reason for reason in reasons if (reason.path, reason.spot) != (frame.module, call.site)),
            data={
                "dtype": _bfloat16(program, found),
                "position": autocast.position,
                "scaled": _scaled(found),
                "stepped": _stepped(found),
            },
        )


def _message(found: backward.Unscaled) -> str:
    """What is wrong, why, and both ways out."""
    autocast = found.forward.autocast
    harm = "small gradients underflow to zero"
    if found.scales is not None:
        return (
            f"no `GradScaler` scales this loss, computed under float16 autocast, though another loss is scaled: {harm}\n"
            f"{_WHY} Scale this one too, and step its optimizer through the scaler; one scaler can serve both."
        )
    device = autocast.device or "cuda"
    default = f" (the default on {'CUDA' if device == 'cuda' else device})" if autocast.default else ""
    return (
        f"`autocast` trains in float16{default} without a `GradScaler`: {harm}\n"
        f"{_WHY} bfloat16 has the range of float32 and needs no scaling. To stay with float16, create `scaler = "
        f'torch.amp.GradScaler("{device}")` once before the loop and use it as shown below.'
    )


def _reasons(found: backward.Unscaled) -> list[Reason]:
    """The forward pass, the backward pass and the step, with what a scaler would make of them in the loop's own names."""
    from trainlint.program import naming

    site, step = found.backward.site, found.step
    loss = naming.name_in(found.backward.loss, site.function) or "loss"
    receiver = naming.receiver(step.call.term) if step.applies else None
    optimizer = (naming.name_in(receiver, step.function) if receiver is not None else None) or "optimizer"
    scaled = f"`scaler.step({optimizer})`, then `scaler.update()`"
    return [
        Reason(found.forward.frame.module, found.forward.call.site, "the forward pass runs in float16 from here"),
        Reason(site.module, site.call.term.site, f"the loss is not scaled; with a scaler: `scaler.scale({loss}).backward()`"),
        Reason(
            step.module,
            step.call.term.site,
            f"the optimizer applies the gradients that did not underflow; with a scaler: {scaled}",
        ),
    ]


def _bfloat16(program: Program, found: backward.Unscaled) -> str | None:
    """bfloat16 as the file can write it; None where the call that makes the context is a helper's, used by others too."""
    from trainlint.program import naming

    return naming.reference("torch.bfloat16", program.modules[found.place[1].module]) if found.own else None


def _scaled(found: backward.Unscaled) -> str | None:
    """The scaled backward pass, by the scaler that scales another loss there."""
    from trainlint.program import naming
    from trainlint.program.call_graph import last_name

    call, function = found.backward.site.call.term, found.backward.site.function
    scales = naming.name_in(found.scales, function) if found.scales is not None else None
    loss = naming.name_in(found.backward.loss, function)
    if scales is None or loss is None or naming.receiver(call) is None or call.kwargs:
        return None
    return f"{scales}({loss}).{last_name(call.callee)}()"


def _stepped(found: backward.Unscaled) -> tuple[Spot, str] | None:
    """The optimizer's step through that scaler, where it stands beside the backward pass."""
    from trainlint.program import naming
    from trainlint.program.call_graph import last_name

    step, function = found.step, found.backward.site.function
    scaler = naming.name_in(found.scaler, function) if found.scaler is not None else None
    receiver = naming.receiver(step.call.term) if step.applies and step.function is function else None
    optimizer = naming.name_in(receiver, function) if receiver is not None else None
    if scaler is None or optimizer is None or step.call.term.args or step.call.term.kwargs:
        return None
    return step.call.term.site, f"{scaler}.{last_name(step.call.term.callee)}({optimizer})"


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Compute in bfloat16; where another loss is scaled, show how this one would be."""
    if suspect.data["scaled"] is not None:
        message = "Scale this loss too, and step its optimizer through the scaler"
        scaled = Replace(Applicability.DISPLAY, message, spot=suspect.spot, code=suspect.data["scaled"])
        if suspect.data["stepped"] is None:
            return scaled
        spot, code = suspect.data["stepped"]
        return Together(
            Applicability.DISPLAY, message, changes=(scaled, Replace(Applicability.DISPLAY, message, spot=spot, code=code))
        )
    if suspect.data["dtype"] is None:
        return None  # the context comes from a helper, or torch itself is not imported there
    return SetKeyword(
        Applicability.UNSAFE,
        "Train in bfloat16, which needs no loss scaling (GPUs since Ampere)",
        call=suspect.spot,
        keyword="dtype",
        value=suspect.data["dtype"],
        position=suspect.data["position"],
    )
