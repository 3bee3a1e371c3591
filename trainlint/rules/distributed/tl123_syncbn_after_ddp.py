"""TL123 syncbn-after-ddp. Its page, which is also its test: rules/distributed/TL123-syncbn-after-ddp.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL123",
    summary="batch norm layers that are converted to SyncBatchNorm after the model was wrapped in DDP",
    needs=("converts",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each conversion of a model that is wrapped by then."""
    from trainlint.domains.sharding import wrapping_order

    for found in wrapping_order.late_conversions(program):
        site, wrapped = found.site, found.wrapped.site
        yield at_call(
            site.module,
            site.call,
            message="`convert_sync_batchnorm` is called after the model was wrapped in `DistributedDataParallel`\n"
            "The documented order is the reverse: convert the model, then wrap it.",
            because=(Reason(wrapped.module, wrapped.call.term.site, "the model is wrapped here"),),
            data={"name": found.name, "statement": site.call.statement, "target": wrapped.call.statement},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the conversion in front of the wrapper."""
    data = suspect.data
    if data["name"] is None:
        return None
    return Move(
        Applicability.DISPLAY,
        "Convert the model before it is wrapped",
        statement=data["statement"],
        target=data["target"],
        behind=False,
        anew=(data["name"],),
    )
