"""TL408 unsafe-loss-under-autocast. Its page, which is also its test: rules/precision/TL408-unsafe-loss-under-autocast.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL408",
    summary="a binary cross entropy of probabilities under CUDA autocast, which raises",
    needs=("numerics", "autocast"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each binary cross entropy of probabilities that runs inside of an autocast of CUDA."""
    from trainlint.domains.numerics import losses

    for loss, autocast, given in losses.refusals(program):
        spot = loss.site.call.term.site
        name = loss.name.rpartition(".")[2]
        when = "under CUDA autocast" if autocast.enabled else "whenever CUDA autocast is enabled"
        chosen = ", which some configurations choose here," if loss.others else ""
        yield Suspect(
            path=loss.frame.module,
            spot=spot,
            node="Call",
            statement=spot,
            message=f"`{name}`{chosen} raises an error {when}, in any precision\n"
            "Casting its arguments does not help. Use the loss with logits, which is safe under autocast, or compute "
            'this one in float32 under `torch.autocast("cuda", enabled=False)`.',
            because=(Reason(autocast.frame.module, autocast.call.site, "autocast is enabled here"),),
            data={"change": losses.applied_by_loss(program, given, "Use the loss that takes logits") if given else None},
            evidence="likely" if loss.others else "must",
        )
