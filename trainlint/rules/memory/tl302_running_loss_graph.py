"""TL302 running-loss-graph. Its page, which is also its test: rules/memory/TL302-running-loss-graph.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AppendCall, Change, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL302",
    summary="a running total that keeps the autograd graph of every iteration",
    needs=("gradient",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each statement that adds a graph tensor to a total that outlives the iteration."""
    from trainlint.domains.autograd import graph_leaks

    for kept in graph_leaks.leaks(program, "sum"):
        name = graph_leaks.holder_name(kept)
        holder = f"`{name}`" if name is not None else "the total"
        yield Suspect(
            path=kept.sink.module,
            spot=kept.sink.spot,
            node=kept.sink.node,
            statement=kept.sink.statement,
            message=f"{holder} accumulates a tensor with its autograd graph: the graphs of all iterations stay in memory\n"
            f"Memory grows with each iteration: {graph_leaks.size(kept)}. Accumulate its `.item()` or `.detach()` instead.",
            because=graph_leaks.reasons(kept),
            data={"whole": kept.sink.spot, "paths": kept.paths, "safe": graph_leaks.safe(program, kept)},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Detach what is added."""
    if not suspect.data["paths"]:
        return None
    data = suspect.data
    return AppendCall(data["safe"], "Detach what is added", whole=data["whole"], paths=data["paths"], code="detach()")
