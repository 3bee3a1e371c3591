"""TL545 to TL548 and TL552: what TensorFlow does with data, devices and steps, before and after."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests.witness.running import observe, program, repaired

#: Left out only where TensorFlow cannot be had: it is for some versions of Python.
pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="there is no TensorFlow for this Python"),
]

STEPS = 5
AS_WRITTEN = ("tf_shuffled_batches", "tf_cached_draws", "tf_last_batch", "tf_eager_step", "tf_no_prefetch")
REPAIRED = ("tf_shuffled_batches", "tf_eager_step", "tf_no_prefetch")


@pytest.fixture(scope="module")
def before() -> Any:
    """What the programs return as they were written."""
    return observe("several", STEPS, *map(program, AS_WRITTEN))


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What those that trainlint mends return then."""
    mended: list[Path] = [repaired(name, tmp_path_factory.mktemp(name)) for name in REPAIRED]
    return observe("several", STEPS, *mended)


def test_shuffled_batches_are_the_same_in_every_epoch(before: Any, after: Any) -> None:
    assert before["tf_shuffled_batches"] == 4
    assert after["tf_shuffled_batches"] > 4


def test_a_cache_keeps_what_was_drawn(before: Any) -> None:
    assert before["tf_cached_draws"] == [4, 4 * STEPS]


def test_a_shorter_last_batch_is_compiled_for(before: Any) -> None:
    assert before["tf_last_batch"] == [[None, 2], [4, 1]]


def test_a_traced_step_computes_the_same(before: Any, after: Any) -> None:
    was, losses = before["tf_eager_step"]
    traced, same = after["tf_eager_step"]
    assert (was, traced) == (False, True)
    assert same == pytest.approx(losses, rel=1e-5)
    assert losses[-1] < losses[0]


def test_prefetched_batches_are_the_same(before: Any, after: Any) -> None:
    assert after["tf_no_prefetch"] == pytest.approx(before["tf_no_prefetch"], rel=1e-6)


def test_devices_in_use_are_not_divided(tmp_path: Path) -> None:
    late = observe("several", STEPS, program("tf_late_devices"))["tf_late_devices"]
    in_time = observe("several", STEPS, repaired("tf_late_devices", tmp_path))["tf_late_devices"]
    assert "after being initialized" in late
    assert in_time == [STEPS, 2]
