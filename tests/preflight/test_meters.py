"""A tracker of meters that is logged tells what its meters stand for, by the names that they are kept and filled by."""

from __future__ import annotations

from pathlib import Path

from tests.preflight.programs import verdicts

TEXT = """\
import logging

import torch


class Meter:
    def __init__(self, name):
        self.name = name
        self.sum = 0.0

    def update(self, value):
        self.sum += value


class Tracker:
    def __init__(self, meters):
        self.__dict__["meters"] = meters

    def __setattr__(self, name, value):
        self.meters[name].update(value)

    def __str__(self):
        return " ".join(f"{{each.name}}:{{each.sum}}" for each in self.meters.values())


def step(net, optimizer, metrics):
    loss = net(torch.rand(8, 4)).sum()
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    metrics.loss = loss.item()
    {filled}
    return metrics


def main():
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    meters = {{"loss": Meter("l"), {kept}}}
    tracker = Tracker(meters)
    for epoch in range(9):
        tracker = step(net, optimizer, tracker)
        {told}


if __name__ == "__main__":
    main()
"""
FILLED, KEPT, TOLD = "metrics.grad_norm = norm.item()", '"grad_norm": Meter("gn")', "logging.info(tracker)"


def test_a_meter_is_told_that_is_kept_filled_and_logged(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path,
        {
            "told": TEXT.format(filled=FILLED, kept=KEPT, told=TOLD),
            "not filled": TEXT.format(filled="", kept=KEPT, told=TOLD),
            "not kept": TEXT.format(filled=FILLED, kept='"lr": Meter("lr")', told=TOLD),
            "not logged": TEXT.format(filled=FILLED, kept=KEPT, told='logging.info("a round")'),
        },
    )
    assert {name: each["log-gradient-norm"] == "seen" for name, each in found.items()} == {
        "told": True,
        "not filled": False,
        "not kept": False,
        "not logged": False,
    }
