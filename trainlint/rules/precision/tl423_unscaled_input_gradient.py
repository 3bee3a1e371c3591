"""TL423 unscaled-input-gradient. Its page, which is also its test: rules/precision/TL423-unscaled-input-gradient.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL423",
    summary="gradients of inputs, for a penalty or an adversarial step, that float16 autocast computes without loss scaling",
    needs=("autocast", "returned-gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass for the gradients of inputs whose forward pass ran in float16 and whose loss is not scaled."""
    from trainlint.domains.precision import backward
    from trainlint.program import naming

    for found in backward.of_inputs(program):
        site, forward = found.backward.site, found.forward
        loss = naming.name_in(found.backward.loss, site.function) or "loss"
        of = naming.name_in(found.read, site.function) if found.read is not None else None
        whose = f"the gradient of `{of}` is" if of else "these gradients are"
        yield at_call(
            site.module,
            site.call,
            message=f"{whose} computed through float16 autocast and the loss is not scaled: gradients below 6e-8 "
            f"become zero\nDifferentiate `scaler.scale({loss})` and divide the gradients by `scaler.get_scale()`, or run this "
            "forward pass in bfloat16 or float32.",
            evidence="must" if found.sure else "likely",
            because=(Reason(forward.frame.module, forward.call.site, "the forward pass runs in float16 from here"),),
        )
