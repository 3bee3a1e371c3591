"""What projects do in ways of their own: checkpoints of activations, shares of data, handlers that only fail, chosen files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

LOOP = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss({forward}, y).backward()
    optimizer.step()
"""
HEAD = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

net = torch.nn.Linear(4, 2)
data = TensorDataset(torch.rand(8, 4), torch.rand(8, 2))
"""
PLAIN = HEAD + LOOP.format(forward="net(x)")
AGAIN = """
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x):
        ctx.run = run
        ctx.save_for_backward(x)
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0].detach().requires_grad_(True)
        with torch.{gradients}():
            out = ctx.run(x)
        return None, torch.autograd.grad(out, x, grad)[0]
"""
HANDLER = """
import os
import signal

def handler(number, frame):
    {does}

signal.signal(signal.{signal}, handler)
"""
SHARED = """\
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader

class Stream(torch.utils.data.IterableDataset):
    def __init__(self, stride, offset):
        self.stride, self.offset = stride, offset

    def __iter__(self):
        yield from list(range(100))[self.offset :: self.stride]

dist.init_process_group("nccl")
net = torch.nn.Linear(4, 2)
data = Stream({given})
"""
CHOSEN = """\
import argparse
import importlib

import torch
from torch.utils.data import DataLoader, TensorDataset

args = argparse.ArgumentParser().parse_args()
net = importlib.import_module(f"{prefix}{{args.kind}}.{{args.name}}").Net()
data = TensorDataset(torch.rand(8, 4), torch.rand(8, 2))
"""
NET = "import torch\n\nclass Net(torch.nn.Linear):\n    def __init__(self):\n        super().__init__(4, 2)\n"
MODELS = {"models/__init__.py": "", "models/small/__init__.py": "", "models/small/plain.py": NET}
FABRIC = """\
import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset

fabric = L.Fabric()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net, optimizer = fabric.setup(net, optimizer)
state = {{{state}}}
for step, (x, y) in enumerate(DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2)))):
    optimizer.zero_grad()
    fabric.backward(torch.nn.functional.mse_loss(net(x), y))
    optimizer.step()
    fabric.save(f"step{{step}}.pt", state)
"""
REPORTS = """\
from transformers import Trainer, TrainingArguments

Trainer(model=None, args=TrainingArguments(output_dir="out", {given})).train()
"""

CASES: list[tuple[dict[str, str], str, str]] = [
    (
        {"train.py": HEAD + AGAIN.format(gradients="enable_grad") + LOOP.format(forward="Again.apply(net, x)")},
        "gradient-checkpointing",
        "seen",
    ),
    (
        {"train.py": HEAD + AGAIN.format(gradients="no_grad") + LOOP.format(forward="Again.apply(net, x)")},
        "gradient-checkpointing",
        "unknown",
    ),
    ({"train.py": PLAIN + HANDLER.format(does="raise RuntimeError(number)", signal="SIGUSR1")}, "preemption", "missing"),
    ({"train.py": PLAIN + HANDLER.format(does="raise RuntimeError(number)", signal="SIGTERM")}, "preemption", "seen"),
    ({"train.py": PLAIN + HANDLER.format(does="os.environ['ENDS'] = '1'", signal="SIGUSR1")}, "preemption", "seen"),
    (
        {"train.py": SHARED.format(given="stride=dist.get_world_size(), offset=dist.get_rank()") + LOOP.format(forward="net(x)")},
        "set-epoch",
        "seen",
    ),
    ({"train.py": SHARED.format(given="1, 0") + LOOP.format(forward="net(x)")}, "set-epoch", "unknown"),
    ({"train.py": CHOSEN.format(prefix="models.") + LOOP.format(forward="net(x)"), **MODELS}, "compile", "missing"),
    ({"train.py": CHOSEN.format(prefix="") + LOOP.format(forward="net(x)"), **MODELS}, "compile", "unknown"),
    (
        {
            "train.py": CHOSEN.format(prefix="models.") + LOOP.format(forward="net(x)"),
            **MODELS,
            "models/small/fast.py": f"{NET}        self.step = torch.compile(self.forward)\n",
        },
        "compile",
        "unknown",
    ),
    ({"train.py": FABRIC.format(state='"net": net, "optimizer": optimizer')}, "contents", "seen"),
    ({"train.py": FABRIC.format(state='"net": net')}, "contents", "missing"),
    ({"train.py": REPORTS.format(given='report_to="wandb"')}, "log-memory", "seen"),
    ({"train.py": REPORTS.format(given='report_to=["tensorboard"]')}, "log-memory", "missing"),
    ({"train.py": REPORTS.format(given="seed=1")}, "log-memory", "unknown"),
]


@pytest.mark.parametrize(("files", "name", "verdict"), CASES)
def test_ways_of_their_own(tmp_path: Path, files: dict[str, str], name: str, verdict: str) -> None:
    (tmp_path / ".git").mkdir()
    for place, text in files.items():
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (job,) = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))["jobs"]
    assert {line["name"]: line["verdict"] for line in job["lines"]}[name] == verdict
