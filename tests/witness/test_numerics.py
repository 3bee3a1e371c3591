"""TL409 to TL411, TL416, TL421: a loss that is given the wrong thing cannot fall, and falls when it is given the right one."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

STEPS = 300


@pytest.mark.witness
@pytest.mark.parametrize(("name", "floor"), [("double_softmax", math.log((math.e + 9) / math.e)), ("double_sigmoid", 0.5)])
def test_what_is_applied_twice_keeps_the_loss_above_a_floor(name: str, floor: float, tmp_path: Path) -> None:
    # Two sigmoids: 0.69 for the negative sample and 0.31 for the positive one, which is 0.5 on average.
    losses = observe("losses", program(name), STEPS)
    assert min(losses) >= floor - 1e-3
    assert observe("losses", repaired(name, tmp_path), STEPS)[-1] < floor / 10


@pytest.mark.witness
def test_a_likelihood_of_probabilities_does_not_correct_what_is_certain_and_wrong(tmp_path: Path) -> None:
    losses = observe("losses", program("negative_likelihood"), STEPS)
    assert max(map(abs, losses)) < 1e-6, "it should not move"
    after = observe("losses", repaired("negative_likelihood", tmp_path), STEPS)
    assert after[0] > 20
    assert after[-1] < 0.1


@pytest.mark.witness
def test_a_saturated_sigmoid_has_no_gradient(tmp_path: Path) -> None:
    assert set(observe("losses", program("saturated"), STEPS)) == {100.0}
    assert observe("losses", repaired("saturated", tmp_path), STEPS)[-1] < 0.1


@pytest.mark.witness
def test_a_logarithm_in_two_steps_is_infinite_and_ends_the_training(tmp_path: Path) -> None:
    before = observe("losses", program("rounded_to_zero"), STEPS)
    assert before[0] == math.inf
    assert all(math.isnan(loss) for loss in before[1:])
    after = observe("losses", repaired("rounded_to_zero", tmp_path), STEPS)
    assert after[0] == 200.0
    assert after[-1] < 1


@pytest.mark.witness
@pytest.mark.parametrize("name", ["sigmoid_for_the_loss", "logarithms_in_two_steps"])
def test_the_repair_of_a_correct_program_keeps_its_losses(name: str, tmp_path: Path) -> None:
    before = observe("losses", program(name), STEPS)
    after = observe("losses", repaired(name, tmp_path), STEPS)
    assert before[-1] < before[0]
    assert after == pytest.approx(before, rel=1e-4)
