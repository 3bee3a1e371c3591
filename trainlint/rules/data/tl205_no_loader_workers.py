"""TL205 no-loader-workers. Its page, which is also its test: rules/data/TL205-no-loader-workers.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL205",
    summary="a DataLoader that loads its batches in the training process",
    certainty="heuristic",
    needs=("loader",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader without workers over data that is not in memory as tensors."""
    from trainlint.domains.loaders import training_loaders

    for found in training_loaders.idle_host(program):
        yield training_loaders.suspect(
            found,
            "`DataLoader` has `num_workers=0`: batches are loaded in the main process while the device waits\n"
            "With `num_workers` above 0, worker processes load the next batches while the device computes.",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Give the loader some workers."""
    from trainlint.domains.loaders import training_loaders

    return training_loaders.option(suspect, Applicability.UNSAFE, "Load batches in worker processes", "num_workers", "4", 5)
