"""Objects that configurations make: ``trainer = config.build()``, and what is asked of the configurations they stand in."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import CheckedLine, as_data
from trainlint.app.preflight.run import preflight

BASE = """
from dataclasses import dataclass, replace
from typing import ClassVar


class Made:
    @dataclass(kw_only=True)
    class Config:
        _owner: ClassVar[type | None] = None

        def build(self, **given):
            return self._owner(config=replace(self), **given)

    def __init_subclass__(cls, **given):
        cls.Config._owner = cls
"""
KEEPER = """
from abc import ABC, abstractmethod
from dataclasses import dataclass
import os
import torch
from base import Made


class Keeper(Made, ABC):
    enable: bool

    @dataclass(kw_only=True)
    class Config(Made.Config):
        enable: bool = {enable}
        every: int = 10

    def save(self, step):
        if not self.enable:
            return
        self._save(step)

    @abstractmethod
    def _save(self, step): ...


class Files(Keeper):
    @dataclass(kw_only=True)
    class Config(Keeper.Config):
        pass

    def __init__(self, config: Config, model, optimizer):
        self.enable = config.enable
        self.every = config.every
        self.states = {{"model": model, "optimizer": optimizer}}

    @torch.no_grad()
    def _save(self, step):
        if step % self.every == 0:
            torch.distributed.checkpoint.save(self.states, checkpoint_id=f"out/step-{{step}}")
"""
TRAINER = """
import os
import torch
from dataclasses import dataclass, field
from base import Made
from keeper import Files, Keeper


@dataclass
class Training:
    steps: int = 1000
    seed: int | None = None


class Trainer(Made):
    @dataclass(kw_only=True)
    class Config(Made.Config):
        training: Training = field(default_factory=Training)
        checkpoint: Keeper.Config = field(default_factory=Files.Config)

    def __init__(self, config: Config):
        self.config = config
        torch.distributed.init_process_group(timeout=config.timeout)
        seed = config.training.seed
        if seed is None:
            seed = torch.get_rng_state()[0].item()
        torch.manual_seed(seed)
        self.step = 0
        self.model = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.keeper = config.checkpoint.build(model=self.model, optimizer=self.optimizer)

    def goes_on(self):
        return self.step < self.config.training.steps

    def train(self):
        while self.goes_on():
            self.step += 1
            self.optimizer.zero_grad()
            loss = self.model(torch.rand(8, 4)).sum()
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            print(f"loss {loss.item()} norm {norm}")
            self.keeper.save(self.step)
"""
START = """
import importlib
import sys
import tyro
from trainer import Trainer
{more}


def read(name):
    made = getattr(importlib.import_module("settings." + name), sys.argv[1])()
    return tyro.cli(type(made), default=made)


def main():
    config = read(sys.argv[2])
    trainer: Trainer | None = None
    trainer = config.build()
    if config.seed_only:
        trainer.keeper.save(0)
    else:
        trainer.train()


if __name__ == "__main__":
    main()
"""


def look(folder: Path, enable: str = "False", more: str = "") -> dict[str, CheckedLine] | None:
    (folder / ".git").mkdir()
    for name, text in {
        "base": BASE,
        "keeper": KEEPER.format(enable=enable),
        "trainer": TRAINER,
        "train": START.format(more=more),
        "other": "from base import Made\n\n\nclass Other(Made):\n    class Config(Made.Config):\n        pass\n",
    }.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    target = folder / "train.py"
    jobs = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
    return {line["name"]: line for line in jobs[0]["lines"]} if jobs else None


def test_the_methods_of_what_a_configuration_makes_run(tmp_path: Path) -> None:
    lines = look(tmp_path)
    assert lines is not None
    seen = ("clipping", "log-loss", "log-gradient-norm", "timeout", "rank-zero", "dry-run")
    assert {name: lines[name]["verdict"] for name in seen} == dict.fromkeys(seen, "seen")
    assert lines["dry-run"]["why"] == "--training.steps bounds the run."


def test_the_switch_of_a_configuration_below_is_named(tmp_path: Path) -> None:
    lines = look(tmp_path)
    assert lines is not None
    for name in ("saves", "frequency"):
        assert lines[name]["verdict"] == "unknown"
        assert "--checkpoint.enable" in lines[name]["why"]
    assert lines["seeds"]["verdict"] == "unknown"
    assert "--training.seed" in lines["seeds"]["why"]


def test_what_is_switched_on_is_seen(tmp_path: Path) -> None:
    lines = look(tmp_path, enable="True")
    assert lines is not None
    assert lines["saves"]["verdict"] == lines["frequency"]["verdict"] == "seen"


@pytest.mark.parametrize("more", ["from other import Other"])
def test_a_file_that_names_two_such_classes_says_nothing(tmp_path: Path, more: str) -> None:
    lines = look(tmp_path, more=more)
    assert lines is None or lines["clipping"]["verdict"] == "unknown"
