"""TL301, TL302, TL309: what is alive grows with the steps, and does not after the repair."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

FEW, MANY = 10, 40
PROGRAMS = ["collected_losses", "added_losses"]


@pytest.mark.witness
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_kept_graph_outlives_its_backward_pass(name: str, tmp_path: Path) -> None:
    # The backward pass gives up the tensors that the graph has saved, so the graph itself is what piles up.
    few, many = observe("count_live", program(name), "train", FEW, MANY)
    assert many["nodes"] - few["nodes"] >= MANY - FEW
    assert many["tensors"] == few["tensors"]
    few, many = observe("count_live", repaired(name, tmp_path), "train", FEW, MANY)
    assert many == few


@pytest.mark.witness
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_the_backward_pass_does_not_visit_keeps_its_tensors(name: str, tmp_path: Path) -> None:
    few, many = observe("count_live", program(name), "train_and_watch", FEW, MANY)
    assert many["tensors"] - few["tensors"] >= MANY - FEW
    few, many = observe("count_live", repaired(name, tmp_path), "train_and_watch", FEW, MANY)
    assert many == few


@pytest.mark.witness
def test_recorded_backward_passes_outlive_their_round() -> None:
    few, many = observe("count_live", program("recorded_passes"), "train", FEW, MANY)
    assert many["nodes"] - few["nodes"] >= MANY - FEW
    few, many = observe("count_live", program("passes_let_go"), "train", FEW, MANY)
    assert many == few
