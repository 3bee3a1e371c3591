"""What comes first on one line: steps tell it, lines do not."""

from __future__ import annotations

from pathlib import Path

from trainlint import check_paths

FLAG = "import torch.distributed as dist\n\n\ndef work(path):\n    stop = [dist.get_rank() == 0]\n"
SET = """\
import torch.distributed as dist

LEADER = False


def setup():
    global LEADER
    LEADER = dist.get_rank() == 0


def prepare():
    if LEADER:
        dist.barrier()


def main():
    {calls}


main()
"""


def lines(folder: Path, source: str) -> list[int]:
    """The lines of the calls that hang."""
    (folder / "train.py").write_text(source, encoding="utf-8")
    return [found.span.line for found in check_paths([folder / "train.py"], select=["TL101"])]


def test_ranks_that_meet_in_the_arm_of_a_test_do_not_meet_before_it(tmp_path: Path) -> None:
    assert lines(tmp_path, FLAG + "    if stop[0]: dist.broadcast_object_list(stop, src=0)\n") == [6]
    assert not lines(tmp_path, FLAG + "    dist.broadcast_object_list(stop, src=0); dist.barrier() if stop[0] else None\n")


def test_what_is_put_into_a_list_on_the_line_of_a_test(tmp_path: Path) -> None:
    put = "    mine = [False]; mine[0] = stop[0]; dist.barrier() if mine[0] else None\n"
    assert lines(tmp_path, FLAG + put) == [6]
    assert not lines(tmp_path, FLAG + "    mine = [False]; dist.barrier() if mine[0] else None; mine[0] = stop[0]\n")


def test_the_test_of_a_loop_is_asked_again_behind_its_round(tmp_path: Path) -> None:
    again = "    going = {0: True}\n    while going[0]:\n        dist.barrier()\n        going[0] = stop[0]\n"
    assert lines(tmp_path, FLAG + again) == [8]
    assert not lines(tmp_path, FLAG + again.replace("going[0] = stop[0]", "going[0] = path"))


def test_a_function_that_is_called_later_on_the_line_sets_nothing_before(tmp_path: Path) -> None:
    assert lines(tmp_path, SET.format(calls="setup(); prepare()")) == [13]
    assert not lines(tmp_path, SET.format(calls="prepare(); setup()"))
