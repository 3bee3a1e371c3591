"""TL118 optimizer-before-sharding. Its page, which is also its test: rules/distributed/TL118-optimizer-before-sharding.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL118",
    summary="an optimizer constructed from parameters that sharding replaces afterwards: no weight ever changes",
    needs=("sharded-model", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each optimizer that takes the parameters of a model before the model is sharded."""
    from trainlint.domains.sharding import wrapping_order

    for found in wrapping_order.early_optimizers(program):
        taken, sharding = found.taken, found.sharding
        by = sharding.name.rpartition(".")[2]
        cure = "Construct the optimizer after sharding"
        if found.keeps is not None:
            cure += f", or pass `{found.keeps}=True`"
        yield at_call(
            taken.frame.module,
            taken.node,
            message=f"`{by}` shards the model after this optimizer took its parameters: the optimizer never updates the model\n"
            f"Sharding replaces the parameters. {cure}.",
            because=(Reason(sharding.site.module, sharding.site.call.term.site, "the model is sharded here"),),
            data={"name": found.name, "statement": taken.node.statement, "target": sharding.site.call.statement},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Make the optimizer of the sharded model."""
    data = suspect.data
    if data["name"] is None:
        return None
    return Move(
        Applicability.UNSAFE,
        "Construct the optimizer from the sharded model",
        statement=data["statement"],
        target=data["target"],
        behind=True,
        anew=(data["name"],) if data["name"] else (),
    )
