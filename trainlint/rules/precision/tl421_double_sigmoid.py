"""TL421 double-sigmoid. Its page, which is also its test: rules/precision/TL421-double-sigmoid.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

_CURE = "Pass the logits to the loss"

_HARM = (
    "The sigmoid of values between 0 and 1 lies between 0.5 and 0.73: no sample is ever predicted as negative, and the loss "
    "of a negative one stays above 0.69. Pass the logits; keep the sigmoid where probabilities are needed."
)

RULE = Rule.ours(
    code="TL421",
    summary="a loss with logits that is given probabilities, though it applies a sigmoid itself",
    needs=("numerics", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loss with logits of a sigmoid: the loss where both stand together, else the sigmoid."""
    from trainlint.domains.numerics import losses

    for found in losses.fed(program, "sigmoid", "sigmoid"):
        cure = losses.left_out(program, found, _CURE)
        yield losses.suspect(found, "sigmoid", "applies a sigmoid itself", "the output of a sigmoid", _HARM, cure)
