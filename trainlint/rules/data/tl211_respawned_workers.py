"""TL211 respawned-workers. Its page, which is also its test: rules/data/TL211-respawned-workers.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL211",
    name="respawned-workers",
    summary="workers of a loader that are started anew for each epoch",
    level=Level.ADVICE,
    certainty="flow",
    fix="display",
    needs=("loader", "gradient"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader with workers that a loop over epochs iterates without keeping them."""
    from trainlint.domains.loaders import training_loaders

    for found in training_loaders.respawned(program):
        yield training_loaders.suspect(
            found.loader,
            "each epoch ends the loader's workers and starts new ones: `persistent_workers=True` keeps them\n"
            "Starting them means forking or importing the program again, opening files again, and an empty queue of batches.",
            Reason(*found.place, "its batches are trained on here"),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show workers that stay."""
    from trainlint.domains.loaders import training_loaders

    return training_loaders.option(
        suspect, Applicability.DISPLAY, "Keep the workers from epoch to epoch", "persistent_workers", "True"
    )
