"""TL410 double-softmax. Its page, which is also its test: rules/precision/TL410-double-softmax.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

_CURE = "Pass the logits to the loss"

_HARM = (
    "Values between 0 and 1 are read as logits: the loss of a perfect model stays above a floor (1.46 with ten classes), and "
    "the gradients become small. Pass the logits; keep the softmax where probabilities are needed."
)

RULE = Rule.ours(
    code="TL410",
    summary="a cross entropy that is given probabilities, though it applies a softmax itself",
    needs=("numerics", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each cross entropy of a softmax: the loss where both stand together, else the softmax."""
    from trainlint.domains.numerics import losses

    for found in losses.fed(program, "softmax", "softmax"):
        cure = losses.left_out(program, found, _CURE)
        yield losses.suspect(found, "softmax", "applies a softmax itself", "the output of a softmax", _HARM, cure)
