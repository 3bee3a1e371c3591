"""TL528 pmap-without-reduction. Its page, which is also its test: rules/compilers/TL528-pmap-without-reduction.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL528",
    summary="gradients of one device's batch are applied without a mean over the devices",
    needs=("mapped",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each step with gradients that only the device's own batch has gone into."""
    from trainlint.domains.jax import pmap_reduction

    for found in pmap_reduction.unreduced(program):
        named = f"the gradients `{found.name}` are" if found.name is not None else "these gradients are"
        yield at_call(
            found.module,
            found.node,
            message=f"{named} not averaged over the devices (no `pmean`): the replicas diverge\n"
            "Each device applies the gradients of its own batch. Average them first (`jax.lax.pmean`).",
            because=(
                Reason(*found.gradient, "each device computes its own gradients here"),
                Reason(*found.mapped, "this runs the step on each device"),
            ),
            data={"change": found.change},
        )
