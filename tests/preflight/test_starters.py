"""Scripts of a project that start another one: by a library of submissions, as processes, as what a line hands a script to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

TRAINS = """\
import argparse
import os

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset

def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("opts", nargs=argparse.REMAINDER)
    return parser

def train(args):
    dist.init_process_group("nccl", {group})
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2))):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()

if __name__ == "__main__":
    train(options().parse_args())
"""
BY_OPTIONS = TRAINS.format(group="rank=args.rank, world_size=args.count")
BY_ENVIRONMENT = TRAINS.format(group='rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"])')
SUBMITS = """\
import submitit
import {script}

class Run:
    def __init__(self, args):
        self.args = args

    def __call__(self):
        {script}.train(self.args)

    def {method}(self):
        return submitit.helpers.DelayedSubmission(type(self)(self.args))

def main():
    executor = submitit.AutoExecutor(folder="jobs")
    executor.update_parameters(gpus_per_node=8, tasks_per_node=8, timeout_min=60)
    executor.submit(Run({script}.options().parse_args()))

if __name__ == "__main__":
    main()
"""
#: One that submits itself.
ITSELF = """\
import submitit
import torch
from torch.utils.data import DataLoader, TensorDataset

class Run:
    def __call__(self):
        net = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2))):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()

    def checkpoint(self):
        return submitit.helpers.DelayedSubmission(self)

if __name__ == "__main__":
    submitit.AutoExecutor(folder="jobs").submit(Run())
"""
SPAWNS = """\
import argparse
import subprocess
import sys

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--folder", required=True)
args = parser.parse_args()
count = torch.cuda.device_count()
words = [{named!r}, f"--count={{count}}"]
for rank in range(count):
    subprocess.Popen([sys.executable, *words, f"--rank={{rank}}"])
"""
HANDED = "Start it with `python start.py train.py settings.yml --rank 0`.\n"
STARTS = "import sys\nimport deepspeed\n\ndeepspeed.launcher.runner.main(sys.argv[1:])\n"


def looked(folder: Path, files: dict[str, str]) -> dict[str, Any]:
    """The lines of the job of ``train.py`` by their names."""
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    return {line["name"]: line for each in report["jobs"] if each["script"].endswith("train.py") for line in each["lines"]}


@pytest.mark.parametrize(
    ("files", "launch", "preemption"),
    [
        ({"train.py": BY_OPTIONS}, "unknown", "missing"),
        ({"train.py": BY_OPTIONS, "submit.py": SUBMITS.format(script="train", method="checkpoint")}, "seen", "seen"),
        ({"train.py": BY_OPTIONS, "submit.py": SUBMITS.format(script="train", method="again")}, "seen", "missing"),
        (
            {
                "train.py": BY_OPTIONS,
                "submit.py": SUBMITS.format(script="train", method="checkpoint"),
                "README.md": "    torchrun train.py\n",
            },
            "seen",
            "unknown",
        ),
        (
            {
                "train.py": BY_OPTIONS,
                "other.py": BY_OPTIONS,
                "submit.py": SUBMITS.format(script="other", method="checkpoint"),
            },
            "unknown",
            "missing",
        ),
        ({"train.py": BY_OPTIONS, "spawn.py": SPAWNS.format(named="train.py")}, "seen", "missing"),
        ({"train.py": BY_OPTIONS, "spawn.py": SPAWNS.format(named="pretrain.py")}, "unknown", "missing"),
        ({"train.py": BY_OPTIONS, "start.py": STARTS, "README.md": HANDED}, "seen", "missing"),
    ],
)
def test_a_script_that_starts_it_is_known(tmp_path: Path, files: dict[str, str], launch: str, preemption: str) -> None:
    found = looked(tmp_path, files)
    assert (found["launch"]["verdict"], found["preemption"]["verdict"]) == (launch, preemption)


def test_what_submits_itself_says_what_becomes_of_it(tmp_path: Path) -> None:
    assert looked(tmp_path, {"train.py": ITSELF})["preemption"]["verdict"] == "seen"


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"train.py": BY_OPTIONS}, "python train.py"),
        ({"train.py": BY_ENVIRONMENT}, "torchrun --nproc_per_node=2 train.py"),
        ({"train.py": TRAINS.format(group='init_method="env://"')}, "torchrun --nproc_per_node=2 train.py"),
        ({"train.py": BY_OPTIONS, "spawn.py": SPAWNS.format(named="train.py")}, "python spawn.py --folder FOLDER"),
        ({"train.py": BY_ENVIRONMENT, "spawn.py": SPAWNS.format(named="train.py")}, "torchrun --nproc_per_node=2 train.py"),
        ({"train.py": BY_OPTIONS, "start.py": STARTS, "README.md": HANDED}, "python start.py train.py settings.yml"),
        ({"train.py": f"from mpi4py import MPI\n{BY_OPTIONS}"}, "mpirun -n 2 python train.py"),
    ],
)
def test_the_line_that_is_offered_starts_it(tmp_path: Path, files: dict[str, str], command: str) -> None:
    assert looked(tmp_path, files)["communication"]["command"] == f"NCCL_DEBUG=INFO {command}"
