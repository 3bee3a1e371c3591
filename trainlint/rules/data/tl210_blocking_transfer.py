"""TL210 blocking-transfer. Its page, which is also its test: rules/data/TL210-blocking-transfer.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Reason, Rule, SetKeyword, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL210",
    name="blocking-transfer",
    summary="a batch in pinned memory whose copy to the GPU the program waits for",
    level=Level.ADVICE,
    certainty="flow",
    fix="safe",
    needs=("loader", "gradient"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each transfer of a batch from pinned memory that the host waits for."""
    from trainlint.domains.loaders import training_loaders

    for found in training_loaders.blocking(program):
        loader = found.fed.loader
        yield Suspect(
            path=found.frame.module,
            spot=found.call.term.site,
            node="Call",
            statement=found.call.statement,
            message="the program waits here until the batch is on the GPU, though its memory is pinned\n"
            "With `non_blocking=True` the copy runs while the program goes on; the GPU still sees it before it computes.",
            because=(Reason(loader.module, loader.spot, "the loader pins its batches here"),),
            data={},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Do not wait for the copy."""
    message = "Let the copy run beside the program"
    return SetKeyword(Applicability.SAFE, message, call=suspect.spot, keyword="non_blocking", value="True")
