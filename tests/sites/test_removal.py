"""Statements that are taken away: no block is left empty, no comment is lost."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from trainlint import check_source
from trainlint.sites.apply import apply_edits

HEAD = """import torch


def f(model, optimizer, loader, rank):
    for x in loader:
        model(x).backward()
        optimizer.step()
"""
FREE = "torch.cuda.empty_cache()"


def _repaired(text: str) -> str | None:
    found = check_source(text, path=Path("a.py"), select=["TL305"])
    assert len(found) == 1
    return apply_edits(text, found[0].repair.edits) if found[0].repair is not None else None


@pytest.mark.parametrize(
    ("tail", "left"),
    [
        ("        torch.cuda.empty_cache()\n", ""),
        ("        torch.cuda.empty_cache()\n        del x\n", "        del x\n"),
        ("        # a word\n        torch.cuda.empty_cache()", "        # a word"),
        ("        if rank == 0:\n            torch.cuda.empty_cache()\n", "        if rank == 0:\n            pass\n"),
        (
            "        if (rank == 0 and\n            rank < 1):\n            torch.cuda.empty_cache()\n",
            "        if (rank == 0 and\n            rank < 1):\n            pass\n",
        ),
    ],
)
def test_leaves_a_block_that_is_one(tail: str, left: str) -> None:
    repaired = _repaired(HEAD + tail)
    assert repaired is not None
    ast.parse(repaired)
    assert repaired.rstrip("\n") == (HEAD + left).rstrip("\n")


@pytest.mark.parametrize("line", [f"{FREE}  # why", f"{FREE}; del x", f"del x; {FREE}"])
def test_refuses_lines_with_more_on_them(line: str) -> None:
    assert _repaired(f"{HEAD}        {line}\n") is None
