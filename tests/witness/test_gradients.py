"""TL401: gradients that float16 cannot hold are zero, and are not after the repair or with a scaler."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

STEPS = 2


@pytest.mark.witness
def test_float16_gradients_underflow_and_those_of_the_repair_do_not(tmp_path: Path) -> None:
    assert observe("gradients", program("small_gradients"), STEPS) == {"gradient": 0.0, "moved": 0.0}
    after = observe("gradients", repaired("small_gradients", tmp_path), STEPS)
    assert after["gradient"] > 0
    assert after["moved"] > 0


@pytest.mark.witness
def test_a_scaler_saves_the_gradients() -> None:
    after = observe("gradients", program("small_gradients_scaled"), STEPS)
    assert after["gradient"] > 0
    assert after["moved"] > 0
