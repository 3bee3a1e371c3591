"""JAX: keys that are used again, functions that are compiled again, devices that train apart, arrays and clocks too early."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

STEPS = 40
FEW = 5


@pytest.mark.witness
def test_with_one_key_the_same_units_drop_in_every_step_and_are_never_trained() -> None:
    untouched = observe("losses", program("one_key"), STEPS)
    assert untouched[0] > 0
    assert set(untouched) == {untouched[0]}
    assert observe("losses", program("another_key_each_step"), STEPS)[-1] == 0


@pytest.mark.witness
def test_a_lambda_in_a_loop_is_compiled_in_each_round() -> None:
    fresh, once = observe("losses", program("compiled_each_round"), FEW)
    assert (fresh, once) == (FEW, 1)


@pytest.mark.witness
@pytest.mark.parametrize("name", ["one_key_for_all", "constant_key"])
def test_one_key_gives_one_noise(name: str) -> None:
    assert observe("losses", program(name), FEW) == [1, FEW]


@pytest.mark.witness
def test_devices_that_apply_their_own_gradients_drift_apart() -> None:
    apart, together = observe("losses", program("each_its_own"), FEW)
    assert apart > 0.01
    assert together == 0.0


@pytest.mark.witness
def test_what_was_donated_cannot_be_read() -> None:
    said, rebound = observe("losses", program("given_away"), FEW)
    assert "deleted" in said or "donated" in said
    assert rebound == pytest.approx(-0.5)


@pytest.mark.witness
def test_a_clock_that_is_read_too_early_shows_a_small_part_of_the_time(tmp_path: Path) -> None:
    asked, waited = observe("losses", program("not_waited_for"), 600)
    assert asked < waited / 3
    asked, waited = observe("losses", repaired("not_waited_for", tmp_path), 600)
    assert asked > waited / 3
