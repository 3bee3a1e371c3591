"""Switches that end a training after some batches, optimizers that clip, seeds of libraries: what projects have of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preflight.programs import verdicts

if TYPE_CHECKING:
    from pathlib import Path

TRAINS = """\
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--debug", action="store_true", help={help!r})
parser.add_argument("--early-stop", action="store_true")
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.rand(8, 4)))

def epoch():
    for index, (x,) in enumerate(loader):
        optimizer.zero_grad()
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
        {inner}

def train():
    for number in range(100):
        epoch()
        {outer}

train()
"""
BREAK, RETURN = (
    "if args.debug and index == 5:\n            break",
    "if args.debug:\n            if index % 5 == 0:\n                return",
)
OUTER = "if args.debug:\n            break"


def trains(inner: str = "pass", outer: str = "pass", say: str = "look for mistakes") -> str:
    return TRAINS.format(inner=inner, outer=outer, help=say)


SWITCHES = {
    "both loops end": (trains(BREAK, OUTER), "seen"),
    "the function of the epoch is left, and the loop": (trains(RETURN, OUTER), "seen"),
    "the help says so": (trains(BREAK, say="Print the shapes and exit."), "seen"),
    "the process ends": (trains("if args.debug:\n            exit()"), "seen"),
    # each epoch is short, and there are a hundred
    "only the inner loop ends": (trains(BREAK), "missing"),
    "only the outer loop ends": (trains(outer=OUTER), "missing"),
    "a loss decides": (trains("if args.debug and loss > 5:\n            break", OUTER), "missing"),
    "it ends when nothing is gained": (
        trains(BREAK.replace("debug", "early_stop"), OUTER.replace("debug", "early_stop")),
        "missing",
    ),
    "the rounds that it is off in": (trains(BREAK.replace("args", "not args"), OUTER.replace("args", "not args")), "missing"),
}

OPTIMIZER = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

class Own(torch.optim.Optimizer):
    def __init__(self, parameters, clipping={default}):
        super().__init__(parameters, dict(clipping=clipping))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            scale = self._clipping_scale(group)
            for p in group["params"]:
                {step}

    def _clipping_scale(self, group):
        norm = torch.stack([p.grad.norm() for p in group["params"]]).norm()
        return min(1.0, group["clipping"] / norm) if group["clipping"] else 1.0

net = torch.nn.Linear(4, 2)
optimizer = Own(net.parameters(){given})
for (x,) in DataLoader(TensorDataset(torch.rand(8, 4))):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
"""
SCALED, PLAIN = "p.add_(p.grad.mul_(scale), alpha=-0.1)", "p.add_(p.grad.mul_(0.5), alpha=-0.1)"


def optimizer(step: str, default: str = "None", given: str = "") -> str:
    return OPTIMIZER.format(step=step, default=default, given=given)


OPTIMIZERS = {
    "it is told how much": (optimizer(SCALED, given=", clipping=2.0"), "seen"),
    "it is told in its place": (optimizer(SCALED, given=", 2.0"), "seen"),
    "it does so by itself": (optimizer(SCALED, default="1.0"), "seen"),
    "it multiplies": (optimizer("p.sub_(0.1 * (p.grad * scale))", default="1.0"), "seen"),
    "it bounds each": (optimizer("p.sub_(p.grad.clamp_(-1, 1))", default="1.0"), "seen"),
    "it is not told": (optimizer(SCALED), "missing"),
    "it is told not to": (optimizer(SCALED, default="1.0", given=", clipping=None"), "missing"),
    "it scales for another reason": (optimizer(PLAIN, default="1.0"), "missing"),
    "it bounds the weights": (optimizer("p.clamp_(-1, 1)", default="1.0"), "missing"),
}

SEEDED = """\
import torch
from torch.utils.data import DataLoader, TensorDataset
{seeds}
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.rand(8, 4))):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
"""
SEEDS = {
    "of a library": (SEEDED.format(seeds="from speech.tools import fix_random_seed\nfix_random_seed(3)\n"), "seen"),
    "of the project, and empty": (
        SEEDED.format(seeds="def fix_random_seed(seed):\n    print(seed)\nfix_random_seed(3)\n"),
        "missing",
    ),
    "something else of a library": (SEEDED.format(seeds="from speech.tools import get_seed\nget_seed(3)\n"), "missing"),
}


@pytest.mark.parametrize(
    ("cases", "line"),
    [(SWITCHES, "dry-run"), (OPTIMIZERS, "clipping"), (SEEDS, "seeds")],
    ids=["switches", "optimizers", "seeds"],
)
def test_what_projects_have_of_their_own(tmp_path: Path, cases: dict[str, tuple[str, str]], line: str) -> None:
    found = verdicts(tmp_path, {name: text for name, (text, _) in cases.items()})
    assert {name: found[name][line] for name in cases} == {name: verdict for name, (_, verdict) in cases.items()}
