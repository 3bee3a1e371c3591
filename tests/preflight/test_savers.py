"""Objects that save for others: what is in their files, and on which ranks they write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preflight.programs import verdicts
from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

#: A training on several ranks: what stands before it, how its saver is made, and what saves in each round.
PROGRAM = """\
import os
import torch
import torch.distributed as dist
{before}
dist.init_process_group("nccl")
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
{made}
for epoch in range(3):
    loss = net(torch.rand(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    {saves}
"""
FVCORE = "from fvcore.common.checkpoint import Checkpointer, PeriodicCheckpointer\n"
#: A saver of the project's own that is told whether it writes.
OWN = """
class Saver:
    def __init__(self, folder, enable=True, rank=0):
        self.folder = folder
        self.enable = enable
        self.rank = rank
    def save_all(self, net, epoch):
        self.save_one(net, f"net{epoch}.pt")
    def save_one(self, net, name):
        path = os.path.join(self.folder, name)
        {test}
            path = os.devnull
        torch.save(net.state_dict(), path)
"""

#: A decorator, of which the wrapper runs what it is handed on one rank (or not), and a function that it stands before.
DECORATED = """
from functools import wraps
def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0
def carefully(function):
    @wraps(function)
    def wrapped(*args, **kwargs):
        {inner}
        dist.barrier()
        return result
    return wrapped
@carefully
def keep(net, path):
    torch.save(net.state_dict(), path)
"""

CASES: dict[str, tuple[tuple[str, str, str], dict[str, str]]] = {
    "fvcore's, with the optimizer": (
        (
            FVCORE,
            "checkpointer = Checkpointer(net, 'out', optimizer=optimizer, save_to_disk=dist.get_rank() == 0)",
            "checkpointer.save(f'net_{epoch}')",
        ),
        {"saves": "seen", "contents": "seen", "rank-zero": "seen", "frequency": "seen"},
    ),
    "fvcore's, without": (
        (FVCORE, "checkpointer = Checkpointer(net, 'out')", "checkpointer.save(f'net_{epoch}')"),
        {"saves": "seen", "contents": "unknown", "rank-zero": "unknown"},
    ),
    "fvcore's, without an optimizer this time": (
        (FVCORE, "checkpointer = Checkpointer(net, 'out', optimizer=None)", "checkpointer.save(f'net_{epoch}')"),
        {"contents": "unknown"},
    ),
    "fvcore's, from time to time": (
        (
            FVCORE,
            (
                "main = dist.get_rank() == 0\ninner = Checkpointer(net, 'out', optimizer=optimizer, save_to_disk=main)\n"
                "saver = PeriodicCheckpointer(inner, 2, max_to_keep=3)"
            ),
            "saver.step(epoch)",
        ),
        {"saves": "seen", "contents": "seen", "rank-zero": "seen", "frequency": "seen", "pruned": "seen"},
    ),
    "one that is derived from fvcore's": (
        (
            FVCORE + "class Mine(Checkpointer):\n    pass",
            "checkpointer = Mine(net, 'out', optimizer=optimizer, save_to_disk=True)",
            "checkpointer.save(f'net_{epoch}')",
        ),
        {"contents": "seen", "rank-zero": "unknown"},
    ),
    "ignite's": (
        (
            "from ignite.handlers import Checkpoint, DiskSaver",
            "handler = Checkpoint({'net': net, 'optimizer': optimizer}, DiskSaver('out'), n_saved=2)",
            "handler(None)",
        ),
        {"saves": "seen", "contents": "seen", "rank-zero": "seen", "frequency": "seen", "pruned": "seen"},
    ),
    "one of the project's own that is told by the rank": (
        (
            OWN.replace("{test}", "if not self.enable:"),
            "saver = Saver('out', enable=dist.get_rank() == 0)",
            "saver.save_all(net, epoch)",
        ),
        {"saves": "seen", "rank-zero": "seen"},
    ),
    "a function that a decorator lets one rank run": (
        (
            DECORATED.replace("{inner}", "result = function(*args, **kwargs) if is_main_process() else None"),
            "",
            "keep(net, f'net{epoch}.pt')",
        ),
        {"saves": "seen", "rank-zero": "seen"},
    ),
    "a function that a decorator runs, and one rank tells of": (
        (
            DECORATED.replace(
                "{inner}", "result = function(*args, **kwargs)\n        if is_main_process():\n            print('saved')"
            ),
            "",
            "keep(net, f'net{epoch}.pt')",
        ),
        {"saves": "seen", "rank-zero": "missing"},
    ),
    "one that is told, and does not ask": (
        (
            OWN.replace("{test}", "if epoch < 0:"),
            "saver = Saver('out', enable=dist.get_rank() == 0)",
            "saver.save_all(net, epoch)",
        ),
        {"saves": "seen", "rank-zero": "unknown"},
    ),
    "one that is told something else": (
        (
            OWN.replace("{test}", "if not self.enable:"),
            "saver = Saver('out', enable=os.path.exists('out'))",
            "saver.save_all(net, epoch)",
        ),
        {"saves": "seen", "rank-zero": "unknown"},
    ),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """For each case the verdicts of its lines."""
    sources = {
        name: PROGRAM.replace("{before}", before).replace("{made}", made).replace("{saves}", saves)
        for name, ((before, made, saves), _) in CASES.items()
    }
    return verdicts(tmp_path_factory.mktemp("savers"), sources)


@pytest.mark.parametrize("case", CASES)
def test_verdicts_are_the_right_ones(case: str, found: dict[str, dict[str, str]]) -> None:
    wanted = CASES[case][1]
    assert {name: found[case][name] for name in wanted} == wanted


#: Weights that are loaded, and something that is called a scheduler.
LOADS = """\
import torch
class NoiseScheduler:
    def __init__(self, steps):
        self.steps = steps
class WarmUpScheduler:
    def __init__(self, optimizer, steps):
        self.optimizer, self.steps = optimizer, steps
net = torch.nn.Linear(4, 2)
net.load_state_dict(torch.load("net.pt"))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = {made}
for epoch in range(3):
    loss = net(torch.rand(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch.save(net.state_dict(), "net.pt")
"""


@pytest.mark.parametrize(
    ("made", "begins"), [("NoiseScheduler(1000)", "its state starts"), ("WarmUpScheduler(optimizer, 10)", "the schedule starts")]
)
def test_what_starts_from_scratch(tmp_path: Path, made: str, begins: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(LOADS.format(made=made), encoding="utf-8")
    (job,) = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))["jobs"]
    assert begins in next(line["why"] for line in job["lines"] if line["name"] == "resumes")
