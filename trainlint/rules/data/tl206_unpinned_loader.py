"""TL206 unpinned-loader. Its page, which is also its test: rules/data/TL206-unpinned-loader.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, Suspect, Together

RULE = Rule.ours(
    code="TL206",
    summary="batches that are copied to the GPU from memory that is not pinned",
    needs=("loader", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader whose batches go to the GPU from memory that is not pinned."""
    from trainlint.domains.loaders import training_loaders

    for found in training_loaders.unpinned(program):
        loader = found.fed.loader
        yield training_loaders.suspect(
            loader,
            "`DataLoader` without `pin_memory=True`: its batches are copied to the GPU from pageable memory\n"
            "The copy from pinned memory is faster, and can overlap with computation (`non_blocking=True`).",
            Reason(found.frame.module, found.call.term.site, "its batches are copied to the GPU here"),
            beside=training_loaders.siblings(program, loader, "pin_memory"),
            said=not loader.given("pin_memory").absent,
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Pin the memory of the batches, of all loaders that are made side by side."""
    from trainlint.domains.loaders import training_loaders

    message = "Pin the memory of the batches"
    safe = Applicability.UNSAFE if suspect.data["said"] else Applicability.SAFE  # who says False may have a reason
    calls = (suspect.data["call"], *suspect.data["beside"])
    options = (training_loaders.option(suspect, safe, message, "pin_memory", "True", 7, call=call) for call in calls)
    changes = tuple(each for each in options if each is not None)
    return Together(safe, message, changes) if len(changes) > 1 else next(iter(changes), None)
