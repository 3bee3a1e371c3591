"""Loops that end when as many images were seen as an option says, whatever that is called and however it comes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preflight.programs import verdicts

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """\
import argparse
import torch
from outside import read

class Settings(dict):
    def __setattr__(self, name, value):
        self[name] = value

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

def take():
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(net(torch.rand(8, 4)), torch.rand(8, 2))
    loss.backward()
    optimizer.step()
    return loss

def train(size=8, thousands=100):
    {loop}

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--duration", type=float, default=200)
    parser.add_argument("--patience", type=int, default=3)
    args = parser.parse_args()
    s = Settings()
    {set_}
    train(**s)

main()
"""
ENDS = """seen = 0
    while True:
        take()
        seen += size
        done = seen >= thousands * 1000
        if done:
            break
"""
FLAG = """seen = 0
    while True:
        take()
        seen += size
        done = seen >= thousands * 1000
        if not done and read(seen):
            done = True
        if done:
            break
"""
WHILE = """seen = 0
    while seen < thousands * 1000:
        take()
        seen += size
"""
BOTH = ENDS.replace("if done:", "if done and read(seen):")
SOMETIMES = """seen = 0
    while True:
        if read(take()):
            seen += 1
        if seen >= thousands * 1000:
            break
"""
WITHIN = """for r in range(10000):
        seen = 0
        while seen < thousands * 1000:
            take()
            seen += size
"""
DURATION = "s.thousands = max(int(args.duration * 1000), 1)"

CASES = {
    "an option through a dict": (ENDS, DURATION, "seen"),
    "a flag besides": (FLAG, DURATION, "seen"),
    "a while": (WHILE, DURATION, "seen"),
    "a constant": (ENDS, "s.thousands = 3", "missing"),
    "the default": (ENDS, "s.size = 4", "missing"),
    "from elsewhere": (ENDS, "s.thousands = read(args)", "missing"),
    "an option of something else": (ENDS, "s.thousands = args.patience", "missing"),
    "only with something else": (BOTH, DURATION, "missing"),
    "counted in some rounds": (SOMETIMES, DURATION, "missing"),
    "of one round of many": (WITHIN, DURATION, "missing"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    folder: Path = tmp_path_factory.mktemp("amount")
    return verdicts(folder, {name: PROGRAM.format(loop=loop, set_=set_) for name, (loop, set_, _) in CASES.items()})


@pytest.mark.parametrize("name", CASES)
def test_an_option_that_bounds_what_is_counted(found: dict[str, dict[str, str]], name: str) -> None:
    assert found[name]["dry-run"] == CASES[name][2]
