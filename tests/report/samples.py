"""A small training script and findings in it, from which the tests of all formats start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trainlint.finding import Applicability, Edit, Finding, Level, Place, Repair, Span

SCRIPT = """\
import torch.distributed as dist


def train(rank, loss):
    if rank == 0:
        dist.all_reduce(loss)
    return loss
"""

TRAIN = Path("train.py")
HOIST = Repair(Applicability.SAFE, "Move the call out of the `if`", (Edit(Span(5, 1, 7, 1), "    dist.all_reduce(loss)\n"),))


def finding(
    span: Span = Span(6, 9, 6, 30),
    message: str = "only rank 0 runs `dist.all_reduce`",
    *,
    code: str = "TL101",
    name: str = "rank-conditional-collective",
    level: Level = Level.ERROR,
    path: Path = TRAIN,
    related: tuple[Place, ...] = (),
    repair: Repair | None = None,
    cell: int | None = None,
) -> Finding:
    """The all_reduce of SCRIPT, or whatever else is asked for."""
    return Finding(code, name, level, path, span, message, related, repair, cell, noqa_row=span.line)


def unsafe(edits: tuple[Edit, ...] = HOIST.edits) -> Repair:
    return Repair(Applicability.UNSAFE, "Move the call out of the `if`", edits)


class Lines:
    """A ``lines_of`` that knows what it was given; ``asked`` holds what was asked of it."""

    def __init__(self, text: str = SCRIPT, cells: dict[tuple[str, int | None], str] | None = None) -> None:
        self.text, self.cells = text, cells
        self.asked: list[tuple[str, int | None]] = []

    def __call__(self, path: Path, cell: int | None) -> Sequence[str]:
        self.asked.append((str(path), cell))
        if self.cells is None:
            return self.text.splitlines()
        return self.cells.get((str(path), cell), "").splitlines()
