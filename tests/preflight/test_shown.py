"""Command lines that people are shown say how a job is started, where no script does; they belong to that script alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

TRAINS = """\
import argparse

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=0)
args = parser.parse_args()
dist.init_process_group("gloo")
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2)), num_workers=args.workers):
    loss = torch.nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
FENCED = "# Train\n\n```bash\n$ torchrun --nproc_per_node=8 train.py \\\n    --workers 4\n```\n"


def looked(folder: Path, files: dict[str, str], script: str = "train.py") -> dict[str, Any]:
    """The lines of one job by their names, and its launches."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in {script: TRAINS, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    job = next(each for each in report["jobs"] if each["script"].endswith(script))
    return {line["name"]: line for line in job["lines"]} | {"launches": job["launches"]}


@pytest.mark.parametrize(
    ("files", "where"),
    [
        ({"README.md": FENCED}, ("README.md", 4)),
        ({"docs/training.md": FENCED}, ("training.md", 4)),
        ({"README.md": "See [how](__assets__/docs/steps.md).\n", "__assets__/docs/steps.md": FENCED}, ("steps.md", 4)),
        (
            {"TRAINING.md": "run `python -m torch.distributed.run train.py --workers 2`\n\n    torchrun train.py\n"},
            ("TRAINING.md", 1),
        ),
        ({"README.md": "<pre>torchrun --nproc_per_node=8 train.py --workers 1</pre>\n"}, ("README.md", 1)),
        ({"README.rst": "Start::\n\n    mpirun -n 4 python train.py --workers 2\n"}, ("README.rst", 3)),
        ({"train.py": f'"""Trains.\n\n$ torchrun train.py\n"""\n{TRAINS}'}, ("train.py", 3)),
        ({"train.py": f"# torchrun --nproc_per_node=2 train.py\n{TRAINS}"}, ("train.py", 1)),
    ],
)
def test_what_is_shown_starts_the_job(tmp_path: Path, files: dict[str, str], where: tuple[str, int]) -> None:
    found = looked(tmp_path, files)
    assert found["launch"]["verdict"] == "seen"
    assert found["launch"]["why"] == "These lines are shown to people."
    assert (Path(found["launches"][0]["path"]).name, found["launches"][0]["row"]) == where


def test_what_it_says_of_options_holds(tmp_path: Path) -> None:
    assert looked(tmp_path, {})["workers"]["verdict"] == "unknown"
    assert looked(tmp_path, {"README.md": FENCED})["workers"]["verdict"] == "seen"


@pytest.mark.parametrize(
    "text",
    [
        "Look into train.py, then start it with torchrun.\n",
        "    torchrun pretrain.py\n",
        "    torchrun train.pyc\n",
        "    torchrun other/train.py\n",
        "    git add train.py\n",
        "    torchrun \\\n",
        "`" * 5000 + "train.py\n",
        "$" * 5000 + " torchrun train.py\n",
    ],
)
def test_what_starts_something_else_says_nothing(tmp_path: Path, text: str) -> None:
    found = looked(tmp_path, {"README.md": text, "other/train.py": "print(1)\n"})
    assert found["launch"]["verdict"] == "unknown"


def test_scripts_come_first(tmp_path: Path) -> None:
    found = looked(tmp_path, {"README.md": FENCED, "run.sh": "torchrun --nproc_per_node=2 train.py\n"})
    assert [Path(each["path"]).name for each in found["launches"]] == ["run.sh"]
    assert found["launch"]["why"] == "These lines start it."


def test_what_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "README.md").mkdir()
    (tmp_path / "BIG.md").write_text("torchrun train.py\n" + "x" * (1 << 20), encoding="utf-8")
    (tmp_path / "ODD.md").write_bytes(b"\xff\xfe train.py \x00\n")
    outside = tmp_path.parent / f"{tmp_path.name}-outside.md"
    outside.write_text("    torchrun train.py\n", encoding="utf-8")
    (tmp_path / "LINK.md").symlink_to(outside)
    assert looked(tmp_path, {})["launch"]["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("python ./spawn.py --nproc_per_node 8 ./train.py /data --workers 4\n", "seen"),
        ("python ./spawn.py --script train.py\n", "unknown"),
        ("python ./spawn.py 8 other.py\n", "unknown"),
    ],
)
def test_a_script_that_is_told_to_start_another_one(tmp_path: Path, line: str, verdict: str) -> None:
    spawn = "import subprocess\nimport sys\n\nsubprocess.run([sys.executable, *sys.argv[2:]], check=True)\n"
    found = looked(tmp_path, {"run.sh": line, "spawn.py": spawn, "other.py": "print(1)\n"})
    assert found["launch"]["verdict"] == verdict


ASKS_FOR_AMP = """\
    with torch.autocast("cpu", enabled=args.amp):
        print(x)
    if args.amp:
        torch.manual_seed(1)
    loss = torch"""
AMP = TRAINS.replace("args = parser", 'parser.add_argument("--amp", action="store_true")\nargs = parser')
AMP = AMP.replace("    loss = torch", ASKS_FOR_AMP)


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        ("torchrun train.py --amp\ntorchrun train.py --amp --workers 2\n", "seen"),
        ("torchrun train.py --amp\ntorchrun train.py --workers 2\n", "unknown"),
        ("torchrun train.py --amp\ntorchrun train.py --eval\n", "seen"),
        ("torchrun train.py\n", "unknown"),
    ],
)
def test_lines_that_differ_leave_it_open(tmp_path: Path, lines: str, verdict: str) -> None:
    found = looked(tmp_path, {"train.py": AMP, "run.sh": lines})
    assert (found["mixed-precision"]["verdict"], found["seeds"]["verdict"]) == (verdict, verdict)


def cell(*lines: str) -> str:
    """A notebook as it lies on the disk."""
    return json.dumps({"cells": [{"cell_type": "code", "source": [f"{each}\n" for each in lines]}]}, indent=1)


@pytest.mark.parametrize(
    ("files", "verdict"),
    [
        ({"README.md": "```\npython train.py\n --workers 4\n```\n"}, "seen"),
        ({"README.md": "```\npython train.py ^\n --workers 4\n```\n"}, "seen"),
        ({"README.md": "```\npython train.py --data <where it is> --workers 4\n```\n"}, "seen"),
        ({"README.md": "```\n(torch) $ python train.py --workers 4\n```\n"}, "seen"),
        ({"README.md": "<pre class='x'>python train.py --workers 4</pre>\n"}, "seen"),
        ({"README.md": "```\nN=4\npython train.py --workers $N\n```\n"}, "seen"),
        ({"go.ipynb": cell("!python train.py --workers 4")}, "seen"),
        ({"go.ipynb": cell("%run train.py --workers 4")}, "seen"),
        ({"README.md": "```\npython train.py --workers 4\npython train.py --name try ...\n```\n"}, "seen"),
        ({"README.md": "```\npython train.py --workers 4\npython train.py --help\n```\n"}, "seen"),
        # started without an interpreter, from the folder above
        ({"README.md": "```\n./train.py \\\n  --workers 4\n```\n"}, "seen"),
        ({"README.md": "```\n$ OMP_NUM_THREADS=2 ./train.py --workers 4\n```\n"}, "seen"),
        ({"README.md": "./train.py has --workers 4 in its tests.\n"}, "unknown"),
        ({"README.md": "train.py --workers 4\n"}, "unknown"),
        # what describes the options, and another command
        ({"README.md": "```\npython train.py\n--workers how many of them load the data\n```\n"}, "unknown"),
        ({"README.md": "```\nusage: python train.py\n--workers 4\n```\n"}, "unknown"),
        ({"README.md": "```\npython train.py\n\n--workers 4\n```\n"}, "unknown"),
    ],
)
def test_how_commands_are_written_for_people(tmp_path: Path, files: dict[str, str], verdict: str) -> None:
    assert looked(tmp_path, files)["workers"]["verdict"] == verdict


def test_a_text_that_nothing_leads_to_says_nothing(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "own").mkdir()
    elsewhere.mkdir()
    (elsewhere / "steps.md").write_text(FENCED, encoding="utf-8")
    (tmp_path / "own" / "linked").symlink_to(elsewhere)
    texts = {"__assets__/docs/steps.md": FENCED, "README.md": "[a](../elsewhere/steps.md), [b](linked/steps.md)\n"}
    assert looked(tmp_path / "own", texts)["launch"]["verdict"] == "unknown"


EVALUATES = """\
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--evaluate", action="store_true")
parser.add_argument("--snapshot", default="net.pt")
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

def main():
    if args.evaluate:
        print(net(torch.rand(8, 4)))
        return
    for epoch in range(9):
        loss = net(torch.rand(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item()}")
        torch.save(net.state_dict(), args.snapshot)

main()
"""


def test_a_line_that_evaluates_says_nothing_of_the_training(tmp_path: Path) -> None:
    found = looked(tmp_path, {"train.py": EVALUATES, "README.md": "```bash\npython train.py --evaluate --snapshot net.pt\n```\n"})
    assert (found["frequency"]["verdict"], found["log-loss"]["verdict"]) == ("seen", "seen")
