"""TL409 sigmoid-then-bce. Its page, which is also its test: rules/precision/TL409-sigmoid-then-bce.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL409",
    summary="a sigmoid followed by a binary cross entropy, which one function computes exactly",
    needs=("numerics", "gradient"),
)

_SURE = "`sigmoid` is applied before `{}`: the gradient vanishes for large logits"
_LIKELY = "the model ends in `sigmoid`, and its output goes to `{}`: the gradient vanishes for large logits"


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each binary cross entropy of a sigmoid, where gradients are recorded; a likely one where a model ends so."""
    from trainlint.domains.numerics import losses

    for found in losses.fed(program, "probabilities", "sigmoid"):
        if not losses.is_trained(program, found) or losses.refused(program, found.loss):
            continue  # under autocast it is an error (TL408)
        path, spot = found.place
        sure = found.here and found.sure
        yield Suspect(
            path=path,
            spot=spot,
            node="Call",
            statement=spot,
            message=f"{(_SURE if sure else _LIKELY).format(found.loss.name.rpartition('.')[2])}\n"
            "In float32 the sigmoid of a logit above 17 is exactly 1: no gradient is left, however wrong the prediction "
            "is. `binary_cross_entropy_with_logits` (`BCEWithLogitsLoss`) computes both in one, without that loss of "
            "precision.",
            because=losses.reasons(found, "the sigmoid"),
            data={"change": losses.applied_by_loss(program, found, "Use the loss that takes logits") if sure else None},
            evidence="must" if sure else "likely",
        )
