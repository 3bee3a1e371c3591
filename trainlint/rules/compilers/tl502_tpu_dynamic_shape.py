"""TL502 tpu-dynamic-shape. Its page, which is also its test: rules/compilers/TL502-tpu-dynamic-shape.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL502",
    summary="a shape or a branch that depends on a tensor's values in a training step on an XLA device",
    needs=("xla", "gradient"),
)

_SAYS = {
    "shape": (
        "the size of this result depends on the data: XLA recompiles what follows for every new size",
        "A compiled program has static shapes. Keep the full size and select with `torch.where`.",
    ),
    "mask": (
        "indexing with a boolean mask: XLA recompiles what follows for every new number of selected elements",
        "A compiled program has static shapes. Keep all elements and weight them with the mask, as `torch.where` does.",
    ),
    "store": (
        "assignment through a boolean mask: XLA recompiles it for every new number of selected elements",
        "A compiled program has static shapes. `torch.where` and `masked_fill` set the same elements and keep the shape.",
    ),
    "bound": (
        "a tensor's value is the bound of this slice: the host waits for it, and XLA recompiles what follows for every new value",
        "A compiled program has static shapes. Keep the full length and mask the rest, or slice the batch on the host.",
    ),
    "slice": (
        "a tensor's value is the bound of the slice used here: the host waits for it, and XLA recompiles for every new value",
        "A compiled program has static shapes. Keep the full length and mask the rest, or slice the batch on the host.",
    ),
    "branch": (
        "this branch depends on a tensor's value: the host waits for it in every step, and XLA compiles each side",
        "A compiled program has no Python branches. Compute both sides and select with `torch.where`.",
    ),
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place of a training step on XLA whose shape, or whose way, depends on values."""
    from trainlint.domains.xla import dynamic_shapes

    for found in dynamic_shapes.dynamic_shapes(program):
        loop, evidence = found.loop, found.loop.evidence
        runs = "it runs" if found.registered is None else "whatever model is chosen runs"
        reasons = [
            Reason(loop.frame.module, loop.spot, f"{runs} for each batch of this training loop"),
            Reason(evidence.module, evidence.spot, evidence.says),
        ]
        if found.registered is not None:
            reasons.insert(0, Reason(*found.registered, "the model is selected by name: this class is in the table"))
        if found.origin is not None:
            reasons.insert(0, Reason(*found.origin, "the bound is read here"))
        yield Suspect(
            path=found.frame.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message="\n".join(_SAYS[found.what]),
            because=tuple(reason for reason in dict.fromkeys(reasons) if reason.spot != found.spot),
            data={},
        )
