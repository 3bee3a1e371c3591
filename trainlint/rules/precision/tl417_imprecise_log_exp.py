"""TL417 imprecise-log-exp. Its page, which is also its test: rules/precision/TL417-imprecise-log-exp.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL417",
    summary="log(1 + x), exp(x) - 1 or log(exp(x).sum()), for which there are exact functions",
    needs=("exponential",),
)

_LOST = "loses all digits for an x much smaller than 1: below 6e-8 the result is 0 in float32."
_ABOVE = "exp(x) is infinite for x above 88 in float32 (above 11 in float16), "
_SAID = {
    "log1p": ("`log(1 + x)` loses precision for small x", f"1 + x {_LOST}"),
    "expm1": ("`exp(x) - 1` loses precision for small x", f"exp(x) {_LOST}"),
    "softplus": ("`log(1 + exp(x))` overflows for large x", f"{_ABOVE}though the result is x."),
    "logsumexp": ("`log(exp(x).sum())` overflows for large x", f"{_ABOVE}and the sum is 0 where all x are very negative."),
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the call of each expression that one exact function computes."""
    from trainlint.domains.numerics import stable_forms

    for found in stable_forms.imprecise(program):
        name = found.instead.rpartition(".")[2]
        what, harm = _SAID[name]
        spot = found.site.call.term.site
        yield Suspect(
            path=found.site.module,
            spot=spot,
            node="Call",
            statement=found.site.call.statement,
            message=f"{what}: use `{name}`\n{harm}",
            data={"change": found.change},
        )
