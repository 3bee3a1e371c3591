"""TL202 missing-distributed-sampler. Its page, which is also its test: rules/data/TL202-missing-distributed-sampler.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import (
    Applicability,
    Change,
    InsertFirst,
    Program,
    Reason,
    Rule,
    SetKeyword,
    Suspect,
    SwapKeyword,
    Together,
)

RULE = Rule.ours(
    code="TL202",
    summary="a DataLoader without a distributed sampler that feeds a model trained by several ranks",
    needs=("parallel", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader that gives all ranks all of the data on which they train one model."""
    from trainlint.spmd import unsharded

    for found in unsharded.unsharded(program):
        loader, forward = found.loader, found.forward
        assert loader.call is not None
        assert loader.frame is not None
        because = [
            Reason(found.batches.frame.module, found.batches.spot, "the model is trained on its batches here"),
            Reason(forward.frame.module, forward.call.site, "the model that runs here is wrapped for data parallelism"),
        ]
        wrapped = unsharded.wrap_of(program, forward)
        if wrapped is not None:
            because[1] = Reason(*wrapped, "the model is wrapped for data parallelism here")
        yield Suspect(
            path=loader.frame.module,
            spot=loader.call.site,
            node="Call",
            statement=found.statement,
            message="`DataLoader` has no `DistributedSampler`: every rank trains on the whole dataset\n"
            "The ranks average the gradients of the same samples, and adding ranks does not shorten an epoch. Pass one as "
            "`sampler`.",
            because=tuple(because),
            data={"call": loader.call.site, "repair": found.repair},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Give the loader a distributed sampler instead of ``shuffle``, and tell it the epoch."""
    wanted, call = suspect.data["repair"], suspect.data["call"]
    if wanted is None:
        return None
    message = "Split the data among the ranks with a `DistributedSampler`"
    unsafe = Applicability.UNSAFE
    change: Change = SetKeyword(unsafe, message, call=call, keyword="sampler", value=wanted.sampler)
    if wanted.has_shuffle and not wanted.has_sampler:
        change = SwapKeyword(unsafe, message, call=call, keyword="shuffle", code=f"sampler={wanted.sampler}")
    if wanted.reset is None:
        return change
    return Together(unsafe, message, changes=(change, InsertFirst(unsafe, message, block=wanted.loop, code=wanted.reset)))
