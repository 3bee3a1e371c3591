"""TL422 kl-div-mean. Its page, which is also its test: rules/precision/TL422-kl-div-mean.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL422",
    summary="a KL divergence with the default reduction, which divides by the number of classes, too",
    needs=("divergence",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each KL divergence that does not say how it is reduced."""
    from trainlint.domains.numerics import losses

    for site, name in losses.unsaid(program):
        spot = site.call.term.site
        yield Suspect(
            path=site.module,
            spot=spot,
            node="Call",
            statement=site.call.statement,
            message=f"`{name.rpartition('.')[2]}` with the default `reduction` averages over all elements: this is not the KL "
            "divergence\n"
            'The sum is also divided by the number of classes. `reduction="batchmean"` is the divergence per sample; if the '
            'mean is intended, write `reduction="mean"`.',
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Write down the reduction that is used: whoever reads it can decide whether it is meant."""
    message = 'Say that the mean over all elements is meant (the divergence is `reduction="batchmean"`)'
    return SetKeyword(Applicability.SAFE, message, call=suspect.spot, keyword="reduction", value='"mean"')
