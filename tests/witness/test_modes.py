"""TL303, TL307, TL418, TL704, TL705: what passes in the wrong mode do, and those that record too much; not after the repair."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

FEW, MANY = 5, 20


@pytest.mark.witness
def test_a_validation_in_training_mode_differs_from_itself_and_changes_the_model(tmp_path: Path) -> None:
    before = observe("returned", program("validated_in_training"), "train", FEW)
    assert before["apart"] > 0
    assert before["counted"] == FEW * (4 + 2)
    after = observe("returned", repaired("validated_in_training", tmp_path), "train", FEW)
    assert after == {"apart": 0.0, "counted": FEW * 4}


@pytest.mark.witness
def test_batch_norm_follows_nothing_after_the_first_evaluation(tmp_path: Path) -> None:
    before = observe("returned", program("left_in_evaluation"), "train", FEW)
    assert before == {"followed": 4, "trained": FEW * 4}
    after = observe("returned", repaired("left_in_evaluation", tmp_path), "train", FEW)
    assert after == {"followed": FEW * 4, "trained": FEW * 4}


@pytest.mark.witness
def test_an_evaluation_with_gradients_saves_every_activation(tmp_path: Path) -> None:
    few, many = observe("count_live", program("evaluated_with_gradients"), "evaluate", FEW, MANY)
    assert few["tensors"] >= 6
    assert many["tensors"] >= 6
    few, many = observe("count_live", repaired("evaluated_with_gradients", tmp_path), "evaluate", FEW, MANY)
    assert few == many == {"nodes": 0, "tensors": 0}


@pytest.mark.witness
def test_a_state_that_goes_on_with_its_graph_grows(tmp_path: Path) -> None:
    few, many = observe("count_live", program("carried_state"), "train", FEW, MANY)
    assert many["nodes"] - few["nodes"] >= MANY - FEW
    assert many["tensors"] - few["tensors"] >= MANY - FEW
    few, many = observe("count_live", repaired("carried_state", tmp_path), "train", FEW, MANY)
    assert many == few


@pytest.mark.witness
def test_anomaly_detection_leaves_a_trace_on_every_operation(tmp_path: Path) -> None:
    assert observe("returned", program("traced_operations"), "train", FEW)["traced"] > 0
    assert observe("returned", repaired("traced_operations", tmp_path), "train", FEW)["traced"] == 0
