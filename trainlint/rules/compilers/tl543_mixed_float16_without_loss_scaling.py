"""TL543 mixed-float16-without-loss-scaling.

Its page, which is also its test: rules/compilers/TL543-mixed-float16-without-loss-scaling.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL543",
    summary="a custom loop that trains a `mixed_float16` model without loss scaling",
    needs=("tape", "half-policy"),
)

_LOST = "no `LossScaleOptimizer` scales this loss, and the model computes in float16: gradients below 6e-8 become 0\n"
_TAPE = "Differentiate `optimizer.scale_loss(loss)` (Keras 2: `get_scaled_loss`, then `get_unscaled_gradients`). "
_KERAS_3 = "The optimizer of Keras 3 divides by the scale all the same: each step is thousands of times too small."
_WRAP = "Only `compile` wraps the optimizer in a `LossScaleOptimizer`: a custom training loop has to do that itself."


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that computes such gradients."""
    from trainlint.domains.tensorflow.mixed_precision import scaled, unscaled

    for found in unscaled(program):
        because = [Reason(found.half.module, found.half.node.term.site, "float16 is selected here")]
        advice = _TAPE + _WRAP if found.gradient is not None else _WRAP
        if found.scaler is not None:
            advice = _TAPE + _KERAS_3
            because.append(Reason(found.scaler[0], found.scaler[1].term.site, "this optimizer would scale the loss"))
        yield at_call(
            found.module,
            found.node,
            message=_LOST + advice,
            because=tuple(because),
            data={"change": scaled(found)},
        )
