"""TL805 handwritten-attention. Its page, which is also its test: rules/throughput/TL805-handwritten-attention.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Replace, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL805",
    summary="handwritten attention where a fused function computes the same",
    needs=("attention",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each softmax of scores that only the weighted sum of the values is needed of."""
    from trainlint.domains.numerics import attention

    for found in attention.written_out(program):
        site = found.site
        yield at_call(
            site.module,
            site.call,
            message="manual attention stores a weight for every pair of query and key; `scaled_dot_product_attention` does "
            "not\n"
            "`torch.nn.functional.scaled_dot_product_attention` computes the same result with fused kernels"
            + (", with the mask as `attn_mask`." if found.masked else "."),
            because=(
                Reason(site.module, found.scores, "the scores are computed here"),
                Reason(site.module, found.product, "the weights are used here, and nowhere else"),
            ),
            data={"product": found.product, "code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the call that takes its place."""
    if suspect.data["code"] is None:
        return None
    message = "Use the fused function; the scores above are no longer needed"
    return Replace(Applicability.DISPLAY, message, spot=suspect.data["product"], code=suspect.data["code"])
