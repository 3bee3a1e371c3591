"""TL413 norm-without-epsilon. Its page, which is also its test: rules/precision/TL413-norm-without-epsilon.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AppendCall, Applicability, Change, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL413",
    summary="a tensor divided by its own norm or standard deviation, which may be 0",
    needs=("norm",),
)

#: What each may be, for the message, and the smallest number it is kept at: what PyTorch and common code use.
_SAID = {
    "norm": ("its own norm", "A row of zeros has norm 0", "1e-12"),
    "deviation": ("its own standard deviation", "Equal values have deviation 0, and a single one has none", "1e-8"),
    "sizes": ("the sum of two absolute values", "The sum of two zeros is 0", None),
}
_KEPT = {True: "which can be 0", False: "which may be 0 (the test here checks something else)"}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the call of each norm or deviation that something is divided by as it is."""
    from trainlint.domains.numerics import near_zero
    from trainlint.program.naming import quoted

    for found in near_zero.unguarded_divisions(program):
        what, when, least = _SAID[found.word]
        spot = found.site.call.term.site
        yield Suspect(
            path=found.site.module,
            spot=spot,
            node="Call",
            statement=found.site.call.statement,
            message=f"a tensor is divided by {what} ({quoted(found.site.call.term)}), {_KEPT[found.sure]}\n"
            f"{when}: the quotient is NaN, and so are the gradients through it. Clamp the divisor to a small "
            f"number{', or use `torch.nn.functional.normalize`' if found.word == 'norm' else ''}.",
            data={"whole": spot, "least": least if found.here else None},
            evidence="must" if found.sure else "likely",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Keep it at a small number."""
    least = suspect.data["least"]
    if least is None:
        return None  # of a sum, this is only the first part; and what a helper returns others may need as it is
    message = f"Clamp it to at least {least}"
    whole = suspect.data["whole"]
    return AppendCall(Applicability.UNSAFE, message, whole=whole, paths=((),), code=f"clamp_min({least})")
