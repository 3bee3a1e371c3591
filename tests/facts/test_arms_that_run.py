"""Choices of values in the arm of a test that surely runs while JAX traces."""

from __future__ import annotations

from pathlib import Path

from trainlint import check_paths

SOURCE = """\
import jax
import jax.numpy as jnp


def scaled(x, scale):
    if scale is None:
        y = 1 if x > 1 else 2
    else:
        y = 1 if x > 0 else 2
    return x * y


@jax.jit
def step(x):
    return scaled(jnp.sum(x), 2)
"""


def test_only_the_arm_that_runs_is_asked(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SOURCE, encoding="utf-8")
    assert [found.span.line for found in check_paths([tmp_path / "train.py"], select=["TL520"])] == [9]


def test_an_arm_that_runs_something_else_too(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SOURCE.replace("> 0 else 2", "> 0 else 2; x = jnp.sin(x)"), encoding="utf-8")
    assert [found.span.line for found in check_paths([tmp_path / "train.py"], select=["TL520"])] == [9]
