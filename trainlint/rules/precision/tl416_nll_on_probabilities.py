"""TL416 nll-on-probabilities. Its page, which is also its test: rules/precision/TL416-nll-on-probabilities.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

_CURE = "Pass the logarithms of the probabilities"
_HARM = (
    "The loss is then the negative probability of the target class, between -1 and 0: a prediction that is quite wrong has "
    "almost no gradient. Use `log_softmax`."
)

RULE = Rule.ours(
    code="TL416",
    summary="a negative log likelihood that is given probabilities instead of log-probabilities",
    needs=("numerics", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each negative log likelihood of a softmax: the loss where both stand together, else the softmax."""
    from trainlint.domains.numerics import losses

    for found in losses.fed(program, "log-probabilities", "softmax"):
        yield losses.suspect(
            found,
            "softmax",
            "expects log-probabilities",
            "probabilities",
            _HARM,
            losses.in_logarithms(program, found, _CURE),
        )
