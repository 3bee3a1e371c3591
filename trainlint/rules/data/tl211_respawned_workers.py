"""TL211 respawned-workers. Its page, which is also its test: rules/data/TL211-respawned-workers.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL211",
    summary="DataLoader workers that are restarted for each epoch",
    needs=("loader", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader with workers that a loop over epochs iterates without keeping them."""
    from trainlint.domains.loaders import training_loaders

    for found in training_loaders.respawned(program):
        yield training_loaders.suspect(
            found.loader,
            "`DataLoader` without `persistent_workers=True` stops its workers after each epoch and starts new ones\n"
            "Each start forks or imports the program again, reopens files, and begins with an empty queue of batches.",
            Reason(*found.place, "its batches are trained on here"),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show workers that stay."""
    from trainlint.domains.loaders import training_loaders

    return training_loaders.option(
        suspect, Applicability.DISPLAY, "Keep the workers from epoch to epoch", "persistent_workers", "True"
    )
