"""Files whose names hold a number that a loop counts up by itself: each has its own; what begins anew or goes round does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preflight.programs import verdicts

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """\
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--folder", default="runs")
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

def batch():
    return torch.rand(8, 4), torch.rand(8, 2)

def train(size=8, most=100000, rounds=3):
    {loop}

def tell(text):
    print(text)

def take():
    x, y = batch()
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()

{start}
"""
PLAIN = """seen = 0
    while True:
        take()
        seen += size
        if seen >= most:
            break
        torch.save(net.state_dict(), {name})
"""
ANEW = """for r in range(rounds):
        seen = 0
        while seen < most:
            take()
            seen += size
            torch.save(net.state_dict(), f"net-{seen:06d}.pkl")
"""
SET_BACK = """seen = 0
    while True:
        take()
        seen += size
        torch.save(net.state_dict(), f"net-{seen:06d}.pkl")
        if seen >= most:
            seen = 0
"""
FOLDS = """for fold in range(rounds):
        for epoch in range(rounds):
            take()
            torch.save(net.state_dict(), f"{name}.pkl")
"""
GOES_ON = """first = torch.load(args.folder + "/net.pth")["epoch"]
    for epoch in range(first, rounds):
        tell("Epoch %d (of %d)" % (epoch + 1, rounds))
        take()
        torch.save(net.state_dict(), str(args.folder) + "/net.pth")
"""
#: Nothing removes the files; those of the next fold are written over them, so that it is not said that each stays whole.
OWN, OVER, AGAIN = "missing not-needed", "unknown unknown", "missing unknown"

CASES = {
    "counted up": (PLAIN.format(name='f"net-{seen // 1000:06d}.pkl"'), "train()", OWN),
    "with a format": (PLAIN.format(name='"net-{}.pkl".format(seen)'), "train()", OWN),
    "with a percent sign": (PLAIN.format(name='"net-%06d.pkl" % seen'), "train()", OWN),
    "goes round": (PLAIN.format(name='f"net-{seen // 8 % 2}.pkl"'), "train()", OVER),
    "another number": (PLAIN.format(name='f"net-{size}.pkl"'), "train()", "not-needed missing"),
    "anew in each round": (ANEW, "train()", OVER),
    "set back": (SET_BACK, "train()", OVER),
    "in a loop of the caller": (PLAIN.format(name='f"net-{seen}.pkl"'), "for r in range(3):\n    train()", AGAIN),
    "the epoch of a fold": (FOLDS.replace("{name}", "net-{epoch}"), "train()", AGAIN),
    "a number that was read from a checkpoint is no name": (GOES_ON, "train()", "not-needed missing"),
    "fold and epoch": (FOLDS.replace("{name}", "net-{fold}-{epoch}"), "train()", OWN),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    folder: Path = tmp_path_factory.mktemp("counted")
    return verdicts(folder, {name: PROGRAM.format(loop=loop, start=start) for name, (loop, start, _) in CASES.items()})


@pytest.mark.parametrize("name", CASES)
def test_a_number_that_is_counted_up_makes_another_file(found: dict[str, dict[str, str]], name: str) -> None:
    assert f"{found[name]['pruned']} {found[name]['atomic']}" == CASES[name][2]
