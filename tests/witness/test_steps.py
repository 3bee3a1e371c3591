"""TL402 to TL404, TL420, TL70x and TL71x: how far a layer with a constant gradient goes, as it is and as it is repaired.

All numbers are exact: the gradient is a power of two, and so is the learning rate.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

#: Of each program: how far it goes in one step and in ten, and how far it goes repaired.
CASES: dict[str, tuple[list[float | str], list[float | str]]] = {
    "piled_gradients": ([0.125, 55 * 0.125], [0.125, 10 * 0.125]),
    "lost_gradients": ([0.0, 0.0], [0.125, 10 * 0.125]),
    "lost_window": ([0.125 / 4, 10 * 0.125 / 4], [0.125, 10 * 0.125]),
    "clipped_late": ([4 * 0.125, 40 * 0.125], [2 * 0.125, 20 * 0.125]),
    "plain_step": ([65536 * 0.125, 655360 * 0.125], [0.125, 10 * 0.125]),
    "never_updated": ([0.125, "RuntimeError"], [0.125, 10 * 0.125]),
    "ahead_of_the_optimizer": ([0.5, 1 - 0.5**10], [1.0, 2 - 0.5**9]),
    "clipped_scaled": ([2 * 0.125 / 65536, 20 * 0.125 / 65536], [2 * 0.125, 20 * 0.125]),
}


@pytest.mark.witness
@pytest.mark.parametrize("name", CASES)
def test_the_step_is_wrong_and_the_repaired_one_is_right(name: str, tmp_path: Path) -> None:
    wrong, right = CASES[name]
    # A clip divides by the norm plus a millionth.
    close = {"rel": 1e-5, "abs": 0.0} if name.startswith("clipped") else {"rel": 0.0, "abs": 0.0}
    gone = [each if isinstance(each, str) else pytest.approx(each, **close) for each in wrong]
    assert observe("moved", program(name), 1, 10) == gone
    assert observe("moved", repaired(name, tmp_path), 1, 10) == [pytest.approx(each, **close) for each in right]


@pytest.mark.witness
@pytest.mark.parametrize("name", ["stale_head", "stale_assigned", "stale_model", "no_step", "silenced_loss"])
def test_parameters_that_no_optimizer_applies_gradients_to_stay_where_they_are(name: str) -> None:
    assert observe("moved", program(name), 1, 10) == [0.0, 0.0]


@pytest.mark.witness
def test_parameters_that_it_took_afterwards_are_trained() -> None:
    assert observe("moved", program("head_in_time"), 1, 10) == [0.125, 10 * 0.125]


@pytest.mark.witness
def test_a_scheduler_that_never_steps_leaves_the_rate_as_it_is() -> None:
    # Halved after each step it would be 2 - 0.5**9, as in ahead_of_the_optimizer.
    assert observe("moved", program("no_schedule"), 1, 10) == [1.0, 10.0]


@pytest.mark.witness
def test_the_last_batches_of_an_epoch_make_no_step() -> None:
    assert observe("moved", program("window_cut_off"), 3, 10) == [0.0, 2 * 0.5]
    assert observe("moved", program("window_filled"), 3, 10) == [0.75 * 0.5, 2.5 * 0.5]
