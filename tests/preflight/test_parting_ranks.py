"""What is said of ranks that part: findings in the files of a job, whichever was named, ends of one rank, and the backend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

SCRIPT = """\
import argparse
import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from loop import Loop

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", default="")
    parser.add_argument("--last", type=int, default=9)
    args = parser.parse_args()
    dist.init_process_group({backend})
    Loop([{wrap}({net})], args).run()

if __name__ == "__main__":
    main()
"""
LOOP = """\
import os
import sys
import torch
import torch.distributed as dist

def state_of(path, device):
    state = torch.load(path) if dist.get_rank() == 0 else None
    box = [state]
    dist.broadcast_object_list(box)
    return box[0]

class Loop:
    def __init__(self, nets, args):
        self.nets, self.args = nets, args
        (self.net,) = nets
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        {begins}

    def round(self, epoch):
        for x, y in [(torch.rand(4, 4), torch.rand(4, 2))]:
            loss = torch.nn.functional.mse_loss(self.net(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        {ends}

    def run(self):
        for epoch in range(20_000):
            self.round(epoch)
        {after}
"""
GIVEN = {
    "wrap": "DistributedDataParallel",
    "backend": "'nccl'",
    "net": "torch.nn.Linear(4, 2).cuda()",
    "begins": "pass",
    "ends": "pass",
    "after": "pass",
}
LOADS = "if dist.get_rank() == 0:\n            self.net.load_state_dict(state_of({path}, 'cpu'))"

ENDS = "if epoch >= self.args.last and dist.get_rank() == 0:\n            "
#: What nobody sees that all ranks compute together.
HIDDEN = "vars(torch.nn.parallel)[os.environ['WRAP']]"


def _lines(folder: Path, **given: str) -> dict[str, dict[str, Any]]:
    (folder / ".git").mkdir()
    script, loop = SCRIPT, LOOP
    for key, text in (GIVEN | given).items():
        script, loop = (each.replace("{" + key + "}", text) for each in (script, loop))
    (folder / "train.py").write_text(script, encoding="utf-8")
    (folder / "loop.py").write_text(loop, encoding="utf-8")
    named = folder / "train.py"  # it alone
    report = as_data(preflight([named], settings_for(Request(paths=(str(named),), isolated=True))))
    (job,) = report["jobs"]
    return {line["name"]: line for line in job["lines"]}


def test_a_finding_in_another_file(tmp_path: Path) -> None:
    line = _lines(tmp_path, begins=LOADS.replace("{path}", "'first.pt'"))["collectives"]
    assert (line["verdict"], line["why"][:5]) == ("missing", "TL101")


def test_a_finding_in_another_file_behind_an_option(tmp_path: Path) -> None:
    loads = LOADS.replace("{path}", "args.resume").replace("\n", "\n    ")
    line = _lines(tmp_path, begins=f"if args.resume:\n            {loads}")["collectives"]
    assert line["verdict"] == "seen"
    assert "only with --resume: TL101" in line["why"]
    assert line["evidence"], "it is said where"


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({}, "seen"),
        ({"ends": ENDS + "os._exit(0)"}, "missing"),
        ({"ends": ENDS + "os._exit(0)", "wrap": HIDDEN}, "unknown"),
        ({"ends": ENDS + "sys.exit()", "wrap": HIDDEN}, "unknown"),
        ({"ends": "if epoch >= self.args.last:\n            sys.exit()"}, "seen"),
        ({"ends": "if dist.get_rank() == 0 and loss.isnan():\n            sys.exit('no number')"}, "seen"),
        ({"after": "if dist.get_rank() == 0:\n            os._exit(0)"}, "seen"),
    ],
)
def test_the_end_of_one_rank(tmp_path: Path, given: dict[str, str], verdict: str) -> None:
    assert _lines(tmp_path, **given)["collectives"]["verdict"] == verdict


@pytest.mark.parametrize(
    ("given", "verdict", "word"),
    [
        ({}, "unknown", "NCCL"),
        ({"backend": ""}, "unknown", "NCCL"),
        ({"backend": "'nccl' if torch.cuda.is_available() else 'gloo'"}, "unknown", "NCCL"),
        ({"backend": "backend='cpu:gloo,cuda:nccl'"}, "unknown", "NCCL"),
        ({"backend": "backend='gloo'"}, "missing", "gloo"),
        ({"backend": "'gloo'", "net": "torch.nn.Linear(4, 2)"}, "unknown", "gloo"),
        ({"backend": "'mpi'"}, "unknown", "mpi"),
    ],
)
def test_the_backend(tmp_path: Path, given: dict[str, str], verdict: str, word: str) -> None:
    line = _lines(tmp_path, **given)["communication"]
    assert (line["verdict"], word in line["why"]) == (verdict, True)


def test_a_finding_in_another_file_that_a_configuration_decides_about(tmp_path: Path) -> None:
    loads = LOADS.replace("{path}", "'first.pt'").replace("\n", "\n    ")
    line = _lines(tmp_path, begins=f"if nets[0].options['resume']:\n            {loads}")["collectives"]
    assert line["verdict"] == "unknown"
    assert "TL101" in line["why"]
