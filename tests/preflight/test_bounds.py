"""What ends a training after a few steps: epochs of one step, a trial that trains nothing, what a configuration says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

PARSED = """\
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=500)
parser.add_argument("--dry-run", action="store_true")
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
data = torch.rand(8, 4)
"""
#: All data in one step, and batch by batch.
WHOLE = """\
def train():
    optimizer.zero_grad()
    net(data).sum().backward()
    optimizer.step()
"""
IN_BATCHES = """\
def train():
    for (x,) in DataLoader(TensorDataset(data), num_workers=2):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
"""
STEPPER = """\
class Stepper:
    def step(self, x):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()

stepper = Stepper()

def train():
    for (x,) in DataLoader(TensorDataset(data), num_workers=2):
        stepper.step(x)
"""
#: The name of a bar is no number of rounds.
NAMED = """\
def shown(loader, title):
    yield from loader

for (x,) in shown(DataLoader(TensorDataset(data), num_workers=2), f"of {args.epochs}"):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
for (x,) in shown(DataLoader(TensorDataset(data), num_workers=2), "of {}".format(args.epochs)):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
"""
#: Without the option for trials.
PLAIN = PARSED.replace('parser.add_argument("--dry-run", action="store_true")\n', "")
ROUNDS = "for epoch in range(1, 1 + args.epochs):\n    train()\n    scheduler.step()\n"
#: Where the option is asked about.
STOPS = """\
for epoch in range(args.epochs):
    for (x,) in DataLoader(TensorDataset(data), num_workers=2):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
        if args.dry_run:
            break
"""
LEAVES_OUT = """\
def fit():
    for epoch in range(args.epochs):
        train()

if not args.dry_run:
    fit()
"""
#: How many moves are made before each step, and how many steps there are.
MOVES = PARSED.replace("--dry-run", "--num-steps").replace('action="store_true"', "type=int, default=20")
PLAYS = """\
def train():
    while True:
        values = []
        for move in range(args.num_steps):
            values.append(net(data).sum())
        optimizer.zero_grad()
        sum(values).backward()
        optimizer.step()

train()
"""
STEPS = """\
for number in range(args.num_steps):
    optimizer.zero_grad()
    net(data).sum().backward()
    optimizer.step()
"""
#: A number of iterations that ends the training, and one of rounds without a gain.
EARLY = PARSED.replace("--dry-run", "--early-stop").replace('action="store_true"', "type=int, default=100000")
ENDED = """\
iteration = 0
for (x,) in DataLoader(TensorDataset(data), num_workers=2):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
    if iteration == args.early_stop:
        break
    iteration += 1
"""
TRAINER = """\
import lightning as L
from omegaconf import OmegaConf

settings = OmegaConf.merge(OmegaConf.load("settings.yaml"), OmegaConf.from_cli())

class Net(L.LightningModule):
    def training_step(self, batch, index):
        return batch.sum()

trainer = L.Trainer({given})
trainer.fit(Net())
"""


def looked(folder: Path, text: str) -> dict[str, Any]:
    """The lines of a script by their names."""
    (folder / ".git").mkdir()
    (folder / "train.py").write_text(text, encoding="utf-8")
    (job,) = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))["jobs"]
    return {line["name"]: line for line in job["lines"]}


@pytest.mark.parametrize(
    ("text", "verdict", "command"),
    [
        (PLAIN + WHOLE + ROUNDS, "seen", "python train.py --epochs 10"),
        (PLAIN + IN_BATCHES + ROUNDS, "missing", "python train.py, stopped after ten steps"),
        (PLAIN + STEPPER + ROUNDS, "missing", "python train.py, stopped after ten steps"),
        (PLAIN + WHOLE + "while True:\n    train()\n", "missing", "python train.py, stopped after ten steps"),
        (PLAIN + NAMED, "missing", "python train.py, stopped after ten steps"),
        (PARSED + STOPS, "seen", "python train.py --dry-run"),
        (PARSED + IN_BATCHES + LEAVES_OUT, "missing", "python train.py, stopped after ten steps"),
        (MOVES + PLAYS, "missing", "python train.py, stopped after ten steps"),
        (MOVES + STEPS, "seen", "python train.py --num-steps 10"),
        (EARLY + ENDED, "seen", "python train.py --early-stop 10"),
        (EARLY + ENDED.replace("iteration", "waited"), "missing", "python train.py, stopped after ten steps"),
    ],
)
def test_what_takes_a_few_steps(tmp_path: Path, text: str, verdict: str, command: str) -> None:
    found = looked(tmp_path, text)
    assert (found["dry-run"]["verdict"], found["first-steps"]["command"]) == (verdict, command)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [("max_steps=settings.max_steps", "seen"), ("max_steps=None", "missing"), ("max_epochs=settings.max_epochs", "missing")],
)
def test_a_configuration_may_say_how_many(tmp_path: Path, given: str, verdict: str) -> None:
    assert looked(tmp_path, TRAINER.format(given=given))["dry-run"]["verdict"] == verdict


HYDRA = """\
import hydra
import lightning as L

class Net(L.LightningModule):
    def training_step(self, batch, index):
        return batch.sum()

@hydra.main(config_path="configs", config_name="train.yaml")
def main(cfg):
    trainer = {made}
    trainer.fit(Net())

main()
"""


@pytest.mark.parametrize(
    ("made", "verdict", "command"),
    [
        ("hydra.utils.instantiate(cfg.trainer)", "seen", "python train.py ++trainer.fast_dev_run=true"),
        ("L.Trainer(**cfg.trainer)", "seen", "python train.py, with `fast_dev_run` set for the trainer"),
        ("L.Trainer(max_epochs=cfg.epochs)", "missing", "python train.py, stopped after ten steps"),
    ],
)
def test_a_configuration_may_say_all_of_a_trainer(tmp_path: Path, made: str, verdict: str, command: str) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "train.yaml").write_text(
        "trainer:\n  _target_: lightning.Trainer\n  max_epochs: 3\n", encoding="utf-8"
    )
    found = looked(tmp_path, HYDRA.format(made=made))
    assert (found["dry-run"]["verdict"], found["first-steps"]["command"]) == (verdict, command)
