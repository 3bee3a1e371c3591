"""TL206 unpinned-loader. Its page, which is also its test: rules/data/TL206-unpinned-loader.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL206",
    name="unpinned-loader",
    summary="batches that are copied to the GPU from memory that is not pinned",
    level=Level.ADVICE,
    certainty="flow",
    fix="safe",
    needs=("loader", "gradient"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader whose batches go to the GPU from memory that is not pinned."""
    from trainlint.domains.loaders import training_loaders

    for found in training_loaders.unpinned(program):
        yield training_loaders.suspect(
            found.fed.loader,
            "`DataLoader` without `pin_memory=True`: its batches are copied to the GPU from pageable memory\n"
            "The copy from pinned memory is faster, and can overlap with computation (`non_blocking=True`).",
            Reason(found.frame.module, found.call.term.site, "its batches are copied to the GPU here"),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Pin the memory of the batches."""
    from trainlint.domains.loaders import training_loaders

    return training_loaders.option(suspect, Applicability.SAFE, "Pin the memory of the batches", "pin_memory", "True", 7)
