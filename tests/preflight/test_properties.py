"""What stands in the body of a property runs where it is read of an object whose class is known, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

#: A trainer whose step is compiled by a library that no table knows; nothing but the property leads to it.
TRAINER = """\
import argparse
import functools
import equinox
import jax
import named_arrays
import torch
from functools import cached_property

parser = argparse.ArgumentParser()
parser.add_argument("--profile", action="store_true")
args = parser.parse_args()

class Trainer:
    compiled: object

    def __init__(self, batches):
        self.batches = batches

    @cached_property
    def compiled(self):
        return named_arrays.named_jit({handed}, donate=True)

    @property
    def seeded(self):
        torch.manual_seed(0)
        return self.batches

    @property
    def rate(self):
        return self.kept

    @rate.setter
    def rate(self, value):
        self.kept = value

    def _step(self, params, batch):
        grads = equinox.filter_value_and_grad(self.loss)(params, batch)
        return equinox.apply_updates(params, grads), grads

    def loss(self, params, batch):
        return (params * batch).sum()

    def run(self, function, *given):
        return function(*given)

    def train(self, params):
        for batch in {batches}:
            params = self.run({step}, params, batch)
        return params

Trainer([1.0, 2.0]).train(1.0)
"""
GIVEN = {"handed": "self._step", "batches": "self.batches", "step": "self.compiled"}


def _jobs(folder: Path, **given: str) -> list[dict[str, Any]]:
    (folder / ".git").mkdir()
    source = TRAINER
    for name, text in (GIVEN | given).items():
        source = source.replace("{" + name + "}", text)
    (folder / "train.py").write_text(source, encoding="utf-8")
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    found: list[dict[str, Any]] = report["jobs"]
    return found


def _line(job: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(line for line in job["lines"] if line["name"] == name)
    return found


@pytest.mark.parametrize("handed", ["self._step", "functools.partial(self._step)"])
def test_a_step_behind_a_property_is_a_job(tmp_path: Path, handed: str) -> None:
    (job,) = _jobs(tmp_path, handed=handed)
    assert job["framework"] == "jax"
    assert _line(job, "seeds")["verdict"] != "seen", "nothing reads the property that seeds"


@pytest.mark.parametrize("given", [{"step": "print"}, {"handed": "self.loss"}, {"step": "other.compiled"}])
def test_a_property_that_nobody_reads_is_not_run(tmp_path: Path, given: dict[str, str]) -> None:
    assert _jobs(tmp_path, **given) == []


def test_a_property_that_is_gone_over_runs(tmp_path: Path) -> None:
    (job,) = _jobs(tmp_path, batches="self.seeded")
    assert _line(job, "seeds")["verdict"] == "seen"


def test_a_property_that_is_read_with_an_option_only(tmp_path: Path) -> None:
    (job,) = _jobs(tmp_path, batches="(self.seeded if args.profile else self.batches)")
    seeds = _line(job, "seeds")
    assert seeds["verdict"] == "unknown"
    assert "--profile" in seeds["why"]


def test_jax_computes_whatever_else_is_imported(tmp_path: Path) -> None:
    (job,) = _jobs(tmp_path)
    assert "NCCL" not in _line(job, "communication")["why"]


OPTAX = """\
import jax
import optax
import wandb

def made(learning_rate):
    return optax.adam(learning_rate)

tx = optax.inject_hyperparams({made})({given})
params, state = {}, None

def told(state, step):
    if hasattr(state, "hyperparams"):
        values = {key: float(value) for key, value in state.{held}.items()}
        wandb.log({"loss": 0.0}, step=step)
        {log}

for step in range(3):
    grads = jax.grad(print)(params, step)
    updates, state = tx.update(grads, state)
    params = optax.apply_updates(params, updates)
    told(state, step)
"""


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({}, "seen"),
        ({"log": "wandb.log({key: float(value) for key, value in state.hyperparams.items()})"}, "seen"),
        ({"given": "momentum=0.9"}, "missing"),
        ({"held": "counts"}, "missing"),
        ({"log": "pass"}, "missing"),
    ],
)
def test_the_rate_that_optax_keeps_in_the_state(tmp_path: Path, given: dict[str, str], verdict: str) -> None:
    (tmp_path / ".git").mkdir()
    source = OPTAX
    plain = {"made": "made", "given": "learning_rate=1e-3", "held": "hyperparams", "log": "wandb.log(values, step=step)"}
    for name, text in (plain | given).items():
        source = source.replace("{" + name + "}", text)
    (tmp_path / "train.py").write_text(source, encoding="utf-8")
    report = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
    (job,) = report["jobs"]
    assert _line(job, "log-learning-rate")["verdict"] == verdict
