"""Sources that would make a careless evaluator compute gigabytes: what they say is not computed, and costs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: Far more than a run takes, and far less than any of these would.
_MEGABYTES = 600
TESTS = {
    "a filled text": 'str(rank).zfill(1_200_000_000) == "x"',
    "a template": '"{:>1200000000}".format(rank) == "x"',
    "a repeated text": '"a" * (rank + 1_200_000_000) == "x"',
    "a repeated list": "len([rank] * 400_000_000) == 3",
    "a shifted number": "(1 + rank) << 12_000_000_000",
    "a number of many digits": f'int("{"1" * 5000}") == rank',
    "a digit that is no number": 'int("\N{SUPERSCRIPT TWO}") == rank',
    "a range of four": "rank in range(1, 2, 3, 4)",
    "a long range": "sum(range(rank, 10 ** 30)) == 3",
}


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_what_is_too_large_is_not_computed(test: str, tmp_path: Path) -> None:
    lines = ("import torch.distributed as dist", "", "rank = dist.get_rank()", f"if {test}:", "    dist.barrier()", "")
    (tmp_path / "a.py").write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-P", "-m", "trainlint", "check", "--isolated", "--no-cache", "--select", "ALL", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    with process.stdout:
        said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in {0, 1}
    assert "TL005" not in said
    assert used.ru_maxrss < _MEGABYTES * 1024
