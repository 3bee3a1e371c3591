"""TL411 log-of-softmax. Its page, which is also its test: rules/precision/TL411-log-of-softmax.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Program, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.domains.numerics import stable_forms

RULE = Rule.ours(
    code="TL411",
    summary="the logarithm of a softmax or sigmoid, computed in two steps",
    needs=("head",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each logarithm of what a softmax or sigmoid of the same function computed; a likely one of what another one did."""
    from trainlint.domains.numerics import stable_forms

    for found in stable_forms.logarithms(program):
        spot, head = found.site.call.term.site, found.head
        apart = head.frame.module != found.site.module or not spot.holds(head.call.site)
        yield Suspect(
            path=found.site.module,
            spot=spot,
            node="Call",
            statement=spot,
            message=_message(found),
            because=(Reason(*head.place, f"the {head.word} is computed here"),) if apart else (),
            data={"change": stable_forms.as_one(program, found, f"Compute the logarithm of the {head.word} in one step")},
            evidence="must" if found.here else "likely",
        )


def _message(found: stable_forms.Logarithm) -> str:
    word = found.head.word
    one = "`logsigmoid(-x)`" if found.rest else "`log_softmax`" if word == "softmax" else "`logsigmoid`"
    what = f"`log({'1 - ' if found.rest else ''}{word}(x))` is computed in two steps"
    if found.guarded is not None:
        harm = _GUARDED[found.guarded]
    elif found.rest:
        harm = f"{_ROUNDED}In float32 a sigmoid is exactly 1 for inputs above 17: the result is -inf, and the gradient NaN."
    else:
        harm = f"{_ROUNDED}Where float32 rounds it to 0 (in float16, any below 6e-8), the result is -inf, and the gradient NaN."
    return f"{what}{harm} {one} is exact everywhere."


_ROUNDED = ": a probability rounded to 0 becomes log(0)\n"
_GUARDED = {
    "clamped": ", and the clamp in between cuts off the gradient\nProbabilities beyond the bound get a gradient of 0.",
    "added": ", and the constant added in between hides smaller probabilities\nTheir gradients fade, too.",
}
