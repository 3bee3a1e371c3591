"""TL206 unpinned-loader. Its page, which is also its test: rules/data/TL206-unpinned-loader.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Reason, Rule, SetKeyword, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL206",
    name="unpinned-loader",
    summary="batches that go to the GPU from memory that is not pinned",
    level=Level.ADVICE,
    certainty="flow",
    fix="safe",
    needs=("loader", "gradient"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader whose batches go to the GPU from memory that is not pinned."""
    from trainlint.authoring import passes

    for found in passes.unpinned(program):
        loader = found.fed.loader
        assert loader.statement is not None
        yield Suspect(
            path=loader.module,
            spot=loader.spot,
            node="Call",
            statement=loader.statement,
            message="the batches of this loader go to the GPU from memory that is not pinned\n"
            "From pinned memory (`pin_memory=True`) the copy is faster, and can run beside computation (`non_blocking=True`).",
            because=(Reason(found.fed.frame.module, found.call.term[4], "they are moved there here"),),
            data={"call": loader.spot, "plain": loader.plain()},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Pin the memory of the batches."""
    if not suspect.data["plain"]:
        return None
    message = "Put the batches into pinned memory"
    return SetKeyword(Applicability.SAFE, message, call=suspect.data["call"], keyword="pin_memory", value="True", position=7)
