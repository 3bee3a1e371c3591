"""TL209 cuda-in-worker. Its page, which is also its test: rules/data/TL209-cuda-in-worker.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL209",
    name="cuda-in-worker",
    summary="a CUDA tensor that is made in the worker process of a loader",
    level=Level.WARNING,
    certainty="flow",
    fix="none",
    needs=("loader",),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that puts something on the GPU where a worker runs."""
    from trainlint.domains.loaders import workers

    for found in workers.in_workers(program):
        yield Suspect(
            path=found.module,
            spot=found.call.term.site,
            node="Call",
            statement=found.call.statement,
            message="this uses CUDA in a worker process of the loader: a process that was forked cannot initialise it again\n"
            "Make CPU tensors in workers, and move the batch in the training loop, from pinned memory.",
            because=(Reason(found.loader.module, found.loader.spot, "the loader with workers is made here"),),
            data={},
        )
