"""Loaders that are not PyTorch's own: a library's, one that a configuration makes; and batches that a project makes itself."""

from __future__ import annotations

from pathlib import Path

from tests.preflight.programs import verdicts

LOOP = """
import torch
{more}
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in {data}:
    optimizer.zero_grad()
    net(batch).sum().backward()
    optimizer.step()
"""


def test_who_makes_the_batches(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path,
        {
            "a library": LOOP.format(more="import grain", data="grain.MapDataset.source(range(8)).to_iter_dataset()"),
            "a configuration": LOOP.format(more="from settings import config", data="config.dataloader.build(rank=0)"),
            "the project": LOOP.format(
                more="def make_dataloader():\n    while True:\n        yield torch.rand(8, 4)\n", data="make_dataloader()"
            ),
        },
    )
    assert {name: (lines["workers"], lines["pinned"]) for name, lines in found.items()} == {
        "a library": ("unknown", "unknown"),
        "a configuration": ("unknown", "unknown"),
        "the project": ("not-needed", "not-needed"),
    }
