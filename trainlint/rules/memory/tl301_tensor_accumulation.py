"""TL301 tensor-accumulation. Its page, which is also its test: rules/memory/TL301-tensor-accumulation.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AppendCall, Change, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL301",
    summary="a container that keeps the autograd graph of every iteration",
    needs=("gradient",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each statement that puts a graph tensor into a container that outlives the iteration."""
    from trainlint.domains.autograd import graph_leaks

    for kept in graph_leaks.leaks(program, "store"):
        name = graph_leaks.holder_name(kept)
        holder = f"`{name}`" if name is not None else "the container"
        yield Suspect(
            path=kept.sink.module,
            spot=kept.sink.spot,
            node=kept.sink.node,
            statement=kept.sink.statement,
            message=f"{holder} keeps {graph_leaks.content(kept)}: memory grows with each iteration\n"
            f"The graphs of all iterations stay alive: {graph_leaks.size(kept)}. Store the values alone: `.detach()`, or "
            "`.item()` for a number.",
            because=graph_leaks.reasons(kept),
            data={"whole": kept.sink.spot, "paths": kept.paths, "safe": graph_leaks.safe(program, kept)},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Detach what is stored."""
    if not suspect.data["paths"]:
        return None
    data = suspect.data
    return AppendCall(data["safe"], "Detach what is stored", whole=data["whole"], paths=data["paths"], code="detach()")
