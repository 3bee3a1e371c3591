"""TL201 missing-set-epoch. Its page, which is also its test: rules/data/TL201-missing-set-epoch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertFirst, Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL201",
    summary="a distributed sampler that repeats one order because nothing calls set_epoch",
    needs=("distributed-sampler",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each epoch loop over a shuffling distributed sampler in which nothing sets the epoch."""
    from trainlint.domains import sampler_epochs

    for epoch in sampler_epochs.repeated(program):
        loop, batches = epoch.loop.loop, epoch.loop.batches
        assert epoch.sampler.call is not None
        assert epoch.sampler.frame is not None
        origin = "created" if epoch.seen else "requested"
        when = "" if epoch.sure else ", depending on a setting"
        reasons = [
            Reason(
                epoch.sampler.frame.module,
                epoch.sampler.call.site,
                f"the sampler is {origin} here; it shuffles by epoch{when}",
            ),
            Reason(batches.frame.module, batches.spot, "its batches are iterated here, once per epoch"),
        ]
        yield Suspect(
            path=epoch.loop.frame.module,
            spot=loop.spot,
            node="For" if loop.kind == "for" else "While",
            statement=loop.spot,
            message="`set_epoch` is never called on this loop's sampler: every epoch iterates the data in the same order\n"
            "A DistributedSampler shuffles with its seed plus the epoch that `set_epoch` sets; without it, every epoch "
            "is epoch 0. Call it at the start of each epoch.",
            because=tuple(reason for reason in reasons if reason.spot != loop.spot),
            data={"loop": loop.spot, "code": sampler_epochs.reset_code(program, epoch)},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Call set_epoch first thing in the epoch loop."""
    code = suspect.data["code"]
    if code is None:
        return None
    return InsertFirst(Applicability.SAFE, "Call `set_epoch` at the start of each epoch", block=suspect.data["loop"], code=code)
