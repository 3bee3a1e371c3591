"""Loaders that are not PyTorch's own, and batches that a project makes itself; what stands behind one of two options."""

from __future__ import annotations

from pathlib import Path

from tests.preflight.programs import verdicts
from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

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

CLIPPED = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--clip-value", type=float)
parser.add_argument("--clip-norm", type=float)
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    optimizer.zero_grad()
    net(torch.rand(8, 4)).sum().backward()
    if args.clip_value:
        torch.nn.utils.clip_grad_value_(net.parameters(), args.clip_value)
    elif args.clip_norm:
        torch.nn.utils.clip_grad_norm_(net.parameters(), args.clip_norm)
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


def test_places_behind_two_options_are_named_by_both(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    target = tmp_path / "train.py"
    target.write_text(CLIPPED, encoding="utf-8")
    (job,) = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
    (line,) = (each for each in job["lines"] if each["name"] == "clipping")
    assert line["why"] == "Gradients are clipped only with --clip-value or --clip-norm, which is off by default."
