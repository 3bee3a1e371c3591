"""TL304 retained-graph. Its page, which is also its test: rules/memory/TL304-retained-graph.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Reason, RemoveKeyword, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL304",
    name="retained-graph",
    summary="a backward pass in a loop that retains its graph, which nothing uses again",
    level=Level.WARNING,
    certainty="flow",
    fix="unsafe",
    needs=("gradient",),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass that keeps a graph for nothing."""
    from trainlint.domains.autograd import retained_graphs

    for found in retained_graphs.retained(program):
        event = found.event
        yield Suspect(
            path=event.frame.module,
            spot=event.spot,
            node="Call",
            statement=event.statement,
            message="`retain_graph=True` keeps the graph, but no other backward pass uses it: its saved tensors stay in "
            "memory longer\n"
            "This is the only backward pass of the iteration, and its loss is computed in this iteration alone.",
            because=(Reason(*found.place, "the argument is set because of this"),) if found.place is not None else (),
            data={"here": found.here},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Let the backward pass free its graph, if it is told otherwise there."""
    if not suspect.data["here"]:
        return None
    return RemoveKeyword(
        Applicability.UNSAFE, "Remove the argument: the graph is freed", call=suspect.spot, keyword="retain_graph"
    )
