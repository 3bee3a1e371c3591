"""TL306 implicit-reentrant-checkpoint. Its page, which is also its test: rules/memory/TL306-implicit-reentrant-checkpoint.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL306",
    summary="a checkpointed block that does not choose between the two variants of activation checkpointing",
    needs=("reentrant",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each checkpointed call without the keyword."""
    from trainlint.jobs import api_defaults
    from trainlint.program import library_uses

    for found in api_defaults.unsaid_reentrant(program):
        place = library_uses.chosen_at(program, found.use)
        yield Suspect(
            path=found.use.module,
            spot=found.use.spot,
            node="Call",
            statement=found.use.statement,
            message=f"`{found.use.name}` is called without `{found.keyword}`\n"
            "PyTorch warns and uses the reentrant variant: if no input requires a gradient, it computes none, not even for "
            f"the parameters. PyTorch recommends `{found.keyword}=False`; a "
            "later version will require the argument.",
            because=(Reason(*place, "the function to call is chosen here"),) if place is not None else (),
            data={"change": found.change},
        )
