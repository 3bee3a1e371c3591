"""TL216 unshuffled-training-loader. Its page, which is also its test: rules/data/TL216-unshuffled-training-loader.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL216",
    summary="a training DataLoader that iterates its data in one order in every epoch",
    needs=("loader", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader by whose one order several epochs train."""
    from trainlint.domains.loaders import training_loaders

    for found in training_loaders.unshuffled(program):
        yield training_loaders.suspect(
            found.loader,
            "`DataLoader` has neither `shuffle=True` nor a sampler: every epoch trains on the same batches in the same order\n"
            "`shuffle=True` draws a new order for each epoch.",
            Reason(*found.place, found.said),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Let the loader shuffle."""
    from trainlint.domains.loaders import training_loaders

    return training_loaders.option(suspect, Applicability.UNSAFE, "Shuffle the data in each epoch", "shuffle", "True", 2)
