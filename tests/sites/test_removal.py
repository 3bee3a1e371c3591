"""Statements that are taken away: no block is left empty, no comment is lost."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from trainlint import check_source
from trainlint.edits.apply import apply_edits

HEAD = """import torch


def f(model, optimizer, loader, rank):
    for x in loader:
        model(x).backward()
        optimizer.step()
"""
FREE = "torch.cuda.empty_cache()"


def _repaired(text: str, folder: Path) -> str | None:
    found = check_source(text, path=folder / "a.py", select=["TL305"])
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
def test_leaves_a_block_that_is_one(tail: str, left: str, tmp_path: Path) -> None:
    repaired = _repaired(HEAD + tail, tmp_path)
    assert repaired is not None
    ast.parse(repaired)
    assert repaired.rstrip("\n") == (HEAD + left).rstrip("\n")


@pytest.mark.parametrize("line", [f"{FREE}  # why", f"{FREE}; del x", f"del x; {FREE}"])
def test_refuses_lines_with_more_on_them(line: str, tmp_path: Path) -> None:
    assert _repaired(f"{HEAD}        {line}\n", tmp_path) is None


@pytest.mark.parametrize(
    ("line", "removed"),
    [
        ('os.environ["CUDA_LAUNCH_BLOCKING"] = "1"', True),
        ('os.environ["CUDA_LAUNCH_BLOCKING"] = os.environ["OTHER"] = "1"', False),
        ('flag = os.environ["CUDA_LAUNCH_BLOCKING"] = "1"', False),
        ('os.environ.update({"CUDA_LAUNCH_BLOCKING": "1"})', True),
        ('os.environ.update({"CUDA_LAUNCH_BLOCKING": "1", "OTHER": "1"})', False),
    ],
)
def test_what_sets_something_else_too_stays(line: str, removed: bool, tmp_path: Path) -> None:
    found = check_source(f"import os\n\n{line}\nprint(1)\n", path=tmp_path / "a.py", select=["TL906"])
    assert [each.repair is not None for each in found] == [removed]
