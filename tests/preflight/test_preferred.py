"""A dtype that a function prefers on this machine, behind an option of the configuration; which of its files is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

TRAINS = """\
import flax.linen as nn
import flax.struct
import jax
import jax.numpy as jnp
import optax
from absl import app
from ml_collections import config_flags

CONFIG = config_flags.DEFINE_config_file("config", "configs/default.py")


@flax.struct.dataclass
class Shape:
    dtype: object = jnp.float32


class Net(nn.Module):
    shape: Shape

    @nn.compact
    def __call__(self, x):
        shape = self.shape
        return nn.Dense(8, dtype=shape.dtype)(x)


def preferred(config):
    platform = jax.local_devices()[0].platform
    if config.mixed:
        if platform == "tpu":
            return jnp.bfloat16
        elif platform == "gpu":
            return jnp.float16
    return jnp.float32


def step(params, batch, net):
    grads = jax.grad(lambda each: net.apply(each, batch).sum())(params)
    return optax.apply_updates(params, grads)


def main(argv):
    config = CONFIG.value
    net = Net(Shape(dtype=preferred(config)))
    params = 1.0
    for number in range(config.num_train_steps):
        params = step(params, number, net)


if __name__ == "__main__":
    app.run(main)
"""
SETTINGS = """\
import ml_collections


def get_config():
    config = ml_collections.ConfigDict()
    config.num_train_steps = 1000
    config.mixed = {on}
    return config
"""


@pytest.mark.parametrize(
    ("code", "own", "other", "verdict"),
    [
        (TRAINS, "True", "False", "seen"),
        (TRAINS.replace("return jnp.float16", "return jnp.float32"), "True", "False", "unknown"),
        (TRAINS, "False", "True", "missing"),
    ],
    ids=["on", "for TPUs alone", "off"],
)
def test_a_dtype_by_the_machine(tmp_path: Path, code: str, own: str, other: str, verdict: str) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in {
        "seq/main.py": code,
        "seq/configs/default.py": SETTINGS.format(on=own),
        "images/configs/default.py": SETTINGS.format(on=other),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (job,) = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))["jobs"]
    found = {line["name"]: line for line in job["lines"]}
    assert found["mixed-precision"]["verdict"] == verdict
    assert found["first-steps"]["command"] == "cd seq && python main.py --config.num_train_steps=10"
