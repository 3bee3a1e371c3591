"""TL304 retained-graph. Its page, which is also its test: rules/memory/TL304-retained-graph.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveKeyword, Rule, Suspect

RULE = Rule.ours(
    code="TL304",
    summary="a backward pass in a loop that retains its graph for nothing, or goes through one again that is gone",
    needs=("gradient",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass that keeps a graph for nothing, or that needs one which was freed."""
    from trainlint.domains.autograd import backward, retained_graphs

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
    for again in backward.repeated(program):
        when, frees = "before the loop", "The backward pass of the first iteration frees it, and the next"
        if again.carried is not None:
            when = f"in the iteration before, which `{again.carried}` still holds"
        elif again.first is not None:
            when, frees = "for another backward pass", "That one frees it, and this one"
        yield Suspect(
            path=again.event.frame.module,
            spot=again.event.spot,
            node="Call",
            statement=again.event.statement,
            message=f"`backward()` goes through a graph again that was computed {when}\n"
            f"{frees} raises a RuntimeError. Compute it again, or detach what is not to be trained through.",
            because=(
                Reason(*again.computed, "computed here"),
                *([Reason(again.first.frame.module, again.first.spot, "freed here")] if again.first is not None else ()),
            ),
            data={"here": False},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Let the backward pass free its graph, if it is told otherwise there."""
    if not suspect.data["here"]:
        return None
    return RemoveKeyword(
        Applicability.UNSAFE, "Remove the argument: the graph is freed", call=suspect.spot, keyword="retain_graph"
    )
