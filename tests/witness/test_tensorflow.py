"""TL540 to TL544 and TL549 to TL551: what TensorFlow and Keras really do, before and after."""

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

STEPS = 10
AS_WRITTEN = (
    "tf_counter",
    "tf_counter_as_tensor",
    "tf_made_anew",
    "tf_side_effects",
    "tf_inference_mode",
    "tf_unscaled",
    "tf_scaled",
    "tf_half_output",
    "tf_raw_for_probabilities",
    "tf_variable",
    "tf_frozen",
)
REPAIRED = ("tf_inference_mode", "tf_half_output", "tf_raw_for_probabilities")


@pytest.fixture(scope="module")
def before() -> Any:
    """What the programs return as they were written."""
    return observe("several", STEPS, *map(program, AS_WRITTEN))


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What those that trainlint mends return then."""
    mended: list[Path] = [repaired(name, tmp_path_factory.mktemp(name)) for name in REPAIRED]
    return observe("several", STEPS, *mended)


def test_a_python_number_is_traced_for_each_value_and_a_tensor_once(before: Any) -> None:
    assert before["tf_counter"] == STEPS
    assert before["tf_counter_as_tensor"] == 1


def test_a_function_that_is_made_in_each_round_is_traced_in_each_round(before: Any) -> None:
    assert before["tf_made_anew"] == STEPS


def test_python_in_a_trace_runs_once(before: Any) -> None:
    assert before["tf_side_effects"] == [1, 1, 1]


def test_without_the_flag_dropout_never_drops(before: Any, after: Any) -> None:
    assert before["tf_inference_mode"] == 0
    assert after["tf_inference_mode"] > 0


def test_steps_with_a_plain_loss_are_thousands_of_times_too_small(before: Any) -> None:
    assert before["tf_scaled"] == pytest.approx(STEPS * 0.1, rel=1e-3)
    assert 0 <= before["tf_unscaled"] < before["tf_scaled"] / 10_000


def test_a_softmax_in_float16_has_no_small_probabilities(before: Any, after: Any) -> None:
    assert before["tf_half_output"] == 0
    assert after["tf_half_output"] == pytest.approx(2.06e-9, rel=0.01)


def test_raw_output_below_0_is_never_trained_as_a_probability(before: Any, after: Any) -> None:
    assert set(before["tf_raw_for_probabilities"]) == {before["tf_raw_for_probabilities"][0]}
    assert after["tf_raw_for_probabilities"][-1] < after["tf_raw_for_probabilities"][0] / 2


def test_a_variable_in_a_trace_is_an_error(before: Any) -> None:
    assert before["tf_variable"] == "ValueError"


def test_state_of_python_is_frozen_at_the_first_trace(before: Any) -> None:
    assert before["tf_frozen"] == [0.5] * STEPS
