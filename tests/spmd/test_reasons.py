"""The places that are shown with a finding: the calls on the way down to the collective."""

from __future__ import annotations

from pathlib import Path

from trainlint import check_paths

CHAIN = """\
import torch.distributed as dist


def deepest():
    dist.barrier()


def deeper():
    deepest()


def work(rank):
    if rank == 0:
        deeper()


work(dist.get_rank())
"""
ALONE = CHAIN.replace("        deeper()", "        dist.barrier()")
LEFT = CHAIN.replace("        deeper()", "        return\n    deeper()")
MET = CHAIN.replace("        deeper()", "        deeper()\n    else:\n        dist.all_reduce(rank)")
TEST, CALL, END = (13, "rank 0 gets past this test, the ranks other than 0 do not"), (9, "`deeper` calls `deepest` here"), 5


def reasons(folder: Path, source: str, code: str = "TL101") -> list[tuple[int, str]]:
    """Line and sentence of each place of the only finding."""
    (folder / "train.py").write_text(source, encoding="utf-8")
    (found,) = check_paths([folder / "train.py"], select=[code])
    return [(each.span.line, each.message) for each in found.related]


def test_each_call_on_the_way_down(tmp_path: Path) -> None:
    assert reasons(tmp_path, CHAIN) == [TEST, CALL, (END, "the collective `barrier` runs here")]


def test_a_collective_in_sight_needs_none(tmp_path: Path) -> None:
    assert reasons(tmp_path, ALONE) == [TEST]


def test_a_way_out_and_what_it_leads_past(tmp_path: Path) -> None:
    gone = [(13, "rank 0 takes this exit, the ranks other than 0 go on"), (14, "rank 0 returns here")]
    assert reasons(tmp_path, LEFT, "TL102") == [*gone, CALL, (END, "the collective `barrier` runs here")]


def test_what_the_others_run_instead(tmp_path: Path) -> None:
    sides = (13, "rank 0 takes one branch of this test, the ranks other than 0 take the other")
    others = (16, "the ranks other than 0 run `all_reduce` here")
    assert reasons(tmp_path, MET, "TL104") == [sides, CALL, (END, "the collective `barrier` runs here"), others]
