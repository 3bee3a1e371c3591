"""TL309 backward-create-graph. Its page, which is also its test: rules/memory/TL309-backward-create-graph.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL309",
    summary="`backward(create_graph=True)` in a loop that never frees the gradients: every graph stays in memory",
    needs=("gradient",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass in a loop that is recorded and never let go."""
    from trainlint.domains.autograd import retained_graphs

    for found in retained_graphs.recorded(program):
        event = found.event
        yield Suspect(
            path=event.frame.module,
            spot=event.spot,
            node="Call",
            statement=event.statement,
            message="`backward(create_graph=True)` makes parameters and gradients refer to each other: every graph stays in "
            "memory\n"
            "Use `torch.autograd.grad(…, create_graph=True)`, or call `zero_grad()` afterwards.",
            because=(Reason(*found.place, "the argument is set because of this"),) if found.place is not None else (),
        )
