"""TL204 ragged-distributed-batch. Its page, which is also its test: rules/data/TL204-ragged-distributed-batch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL204",
    summary="a distributed training loader that keeps a shorter last batch",
    needs=("loader", "distributed-sampler", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader of a distributed training that keeps a shorter last batch."""
    from trainlint.domains.loaders import training_loaders

    for found in training_loaders.ragged(program):
        yield training_loaders.suspect(
            found.loader,
            "`DataLoader` without `drop_last`: the last batch of each epoch may be smaller on every rank, and each of its "
            "samples then counts for more in the averaged loss\n"
            "For training, pass `drop_last=True`: every step has the same batch size, and with shuffling each epoch drops "
            "different samples. An evaluation needs them all.",
            Reason(*found.place, "its batches are trained on here"),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Drop the shorter last batch."""
    from trainlint.domains.loaders import training_loaders

    return training_loaders.option(suspect, Applicability.UNSAFE, "Drop the incomplete last batch", "drop_last", "True", 8)
