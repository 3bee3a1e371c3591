"""What each side runs, in words: where the ranks that miss a collective left before they came to it."""

from __future__ import annotations

from pathlib import Path

from trainlint import check_paths

HALVES = """\
import torch.distributed as dist


def prepare(name, make):
    if dist.get_rank() != 0:
        dist.barrier()
    if name != "known":
        return None
    network = make()
    if dist.get_rank() == 0:
        dist.barrier()
    return network
"""
ALONE = HALVES.replace("    if dist.get_rank() == 0:\n        dist.barrier()\n", "")


def said(folder: Path, source: str) -> str:
    """The second line of the only message: who runs what."""
    (folder / "train.py").write_text(source, encoding="utf-8")
    (found,) = check_paths([folder / "train.py"])
    return found.message.splitlines()[1]


def test_a_way_out_before_the_other_half_is_named(tmp_path: Path) -> None:
    assert said(tmp_path, HALVES).endswith("; rank 0: nothing, it returned at train.py:8")


def test_a_way_out_that_leads_past_nothing_is_not(tmp_path: Path) -> None:
    assert said(tmp_path, ALONE).endswith("; rank 0: nothing")
