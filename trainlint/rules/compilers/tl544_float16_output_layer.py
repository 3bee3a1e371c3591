"""TL544 float16-output-layer. Its page, which is also its test: rules/compilers/TL544-float16-output-layer.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL544",
    summary="a model's output layer that computes in float16 under the policy `mixed_float16`",
    needs=("half-policy", "keras-layer"),
)

_LAST = (
    "the output of this model is computed in float16 (policy `mixed_float16`)\n"
    'Losses and probabilities need float32: give the last layer `dtype="float32"`. In float16 a probability below 6e-8 '
    "is 0."
)
_KEPT = (
    "this softmax is float32 under `mixed_bfloat16` and float16 under `mixed_float16`\n"
    "It needs float32 under both policies: in float16, scores above 65504 are infinite, and masks of -1e9 become -inf."
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each layer that computes an output in float16."""
    from trainlint.domains.tensorflow.mixed_precision import narrow

    for found in narrow(program):
        yield at_call(
            found.module,
            found.node,
            message=_LAST if found.last else _KEPT,
            because=(Reason(found.half.module, found.half.node.term.site, "float16 is selected here"),),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Compute it in float32."""
    message = "Compute it in float32"
    return SetKeyword(Applicability.SAFE, message, call=suspect.spot, keyword="dtype", value='"float32"')
