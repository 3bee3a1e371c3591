"""TL412 handwritten-softmax. Its page, which is also its test: rules/precision/TL412-handwritten-softmax.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL412",
    summary="a handwritten exp(x) / exp(x).sum(), which overflows where `softmax` does not",
    needs=("exponential",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the sum of each softmax that is written out without subtracting the maximum."""
    from trainlint.domains.numerics import stable_forms

    for found in stable_forms.handwritten(program):
        spot = found.site.call.term.site
        yield Suspect(
            path=found.site.module,
            spot=spot,
            node="Call",
            statement=found.site.call.statement,
            message="`exp` overflows in this handwritten softmax\n"
            "exp(x) is infinite for x above 88 in float32 (above 11 in float16), and inf / inf is NaN; where all x are "
            "below -104 it is 0 / 0. `torch.softmax` subtracts the maximum first.",
            data={"change": found.change},
        )
