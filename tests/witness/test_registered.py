"""TL714: layers in a plain list never change and are not saved, and do and are after the repair."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

STEPS = 300


@pytest.mark.witness
def test_layers_in_a_list_are_not_trained_and_not_saved(tmp_path: Path) -> None:
    before = observe("losses", program("forgotten_layers"), STEPS)
    assert before["moved"] == [0.0, 0.0]
    assert before["saved"] == ["last.bias", "last.weight"]
    after = observe("losses", repaired("forgotten_layers", tmp_path), STEPS)
    assert min(after["moved"]) > 0
    assert "layers.0.weight" in after["saved"]
    assert after["losses"][0] == before["losses"][0], "the repaired model computes the same"
    assert after["losses"][-1] < before["losses"][-1] / 2
