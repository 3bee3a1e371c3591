"""TL717 unreachable-patience. Its page, which is also its test: rules/loop/TL717-unreachable-patience.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL717",
    summary="a patience that no run reaches: training ends before the learning rate is reduced, or before it would stop early",
    needs=("patience",),
)

_EFFECTS = {"reduce": "the learning rate is never reduced", "stop": "training never stops early"}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each scheduler or callback that never acts."""
    from trainlint.domains.training_step import patience

    for found in patience.unreached(program):
        waiting, earlier = found.waiting, found.earlier
        if earlier is not None:
            why = (
                "early stopping has the same patience and ends the run first"
                if earlier.after.said is not None
                else f"it waits for {waiting.after.number} evaluations without an improvement, "
                f"early stopping for {earlier.after.number}"
            )
            message = (
                f"`{waiting.named}` never reduces the learning rate: {why}\n"
                "Early stopping ends the run before a lower learning rate is tried. Give it the longer patience."
            )
        else:
            message = (
                f"`{waiting.named}` acts after {waiting.after.number} evaluations without an improvement, and the run has "
                f"only {found.most}: {_EFFECTS[waiting.acts]}\nGive it a patience that is much shorter than the run."
            )
        yield Suspect(
            path=waiting.module,
            spot=waiting.spot,
            node="Call",
            statement=found.statement,
            message=message,
            because=(Reason(earlier.module, earlier.spot, "training ends here"),) if earlier is not None else (),
        )
