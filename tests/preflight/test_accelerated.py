"""An accelerator's autocast is as narrow as the precision that the accelerator is made with, and says nothing by itself."""

from __future__ import annotations

from pathlib import Path

from tests.preflight.programs import verdicts

TEXT = """\
import argparse
from dataclasses import dataclass, field

import torch
from accelerate import Accelerator
from draccus import wrap


@dataclass
class Engine:
    mixed_precision: str = "{default}"
    cpu: bool = False

    def build(self):
        kwargs = {{"cpu": self.cpu, "mixed_precision": self.mixed_precision}}
        return Accelerator(**kwargs)


@dataclass
class Config:
    engine: Engine = field(default_factory=Engine)
    lr: float = 0.1


def step(net, batch, accelerator):
    with accelerator.autocast():
        return net(batch).sum()


@wrap()
def main(cfg: Config):
    accelerator = {made}
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg.lr)
    net, optimizer = accelerator.prepare(net, optimizer)
    for epoch in range(9):
        loss = step(net, torch.rand(8, 4), accelerator)
        optimizer.zero_grad()
        accelerator.backward(loss)
        optimizer.step()


if __name__ == "__main__":
    main()
"""


def test_an_autocast_of_an_accelerator_narrows_as_much_as_that_is_told(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path,
        {
            "a field that is off": TEXT.format(default="no", made="cfg.engine.build()"),
            "a field that is on": TEXT.format(default="bf16", made="cfg.engine.build()"),
            "nobody says it": TEXT.format(default="no", made="Accelerator()"),
            "off": TEXT.format(default="no", made='Accelerator(mixed_precision="no")').replace(
                '    mixed_precision: str = "no"\n', "    mixed_precision = None\n"
            ),
            "on": TEXT.format(default="no", made='Accelerator(mixed_precision="bf16")'),
            "a dict that is on": TEXT.format(default="no", made='Accelerator(**{"mixed_precision": "fp16"})'),
            "made elsewhere": TEXT.format(default="no", made="make_accelerator(cfg)").replace(
                "from draccus", "from somewhere import make_accelerator\nfrom draccus"
            ),
        },
    )
    assert {name: each["mixed-precision"] for name, each in found.items()} == {
        "a field that is off": "unknown",
        "a field that is on": "seen",
        "nobody says it": "unknown",
        "off": "missing",
        "on": "seen",
        "a dict that is on": "seen",
        "made elsewhere": "unknown",
    }


def test_an_autocast_of_something_else_stands(tmp_path: Path) -> None:
    plain = TEXT.format(default="no", made="Accelerator()").replace("accelerator.autocast()", 'torch.autocast("cuda")')
    assert verdicts(tmp_path, {"plain": plain})["plain"]["mixed-precision"] == "seen"
