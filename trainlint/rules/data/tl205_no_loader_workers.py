"""TL205 no-loader-workers. Its page, which is also its test: rules/data/TL205-no-loader-workers.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Rule, SetKeyword, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL205",
    name="no-loader-workers",
    summary="a loader that makes its batches in the training process",
    level=Level.ADVICE,
    certainty="heuristic",
    fix="unsafe",
    needs=("loader",),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader without workers over data that is not in memory as tensors."""
    from trainlint.authoring import passes

    for found in passes.idle_host(program):
        loader = found
        assert loader.statement is not None
        yield Suspect(
            path=loader.module,
            spot=loader.spot,
            node="Call",
            statement=loader.statement,
            message="the batches are made in the training process: the loader has no workers, and the device waits\n"
            "`num_workers` processes read ahead while the device computes.",
            because=(),
            data={"call": loader.spot, "plain": loader.plain()},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Give the loader some workers."""
    if not suspect.data["plain"]:
        return None
    message = "Read ahead with worker processes"
    return SetKeyword(Applicability.UNSAFE, message, call=suspect.data["call"], keyword="num_workers", value="4", position=5)
