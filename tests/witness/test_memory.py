"""TL301, TL302: what is alive grows with the steps, and does not after the repair."""

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
    few, many = (observe("count_live", program(name), "train", count)["nodes"] for count in (FEW, MANY))
    assert many - few >= MANY - FEW
    path = repaired(name, tmp_path)
    few, many = (observe("count_live", path, "train", count)["nodes"] for count in (FEW, MANY))
    assert many == few


@pytest.mark.witness
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_the_backward_pass_does_not_visit_keeps_its_tensors(name: str, tmp_path: Path) -> None:
    few, many = (observe("count_live", program(name), "train_and_watch", count)["tensors"] for count in (FEW, MANY))
    assert many - few >= MANY - FEW
    path = repaired(name, tmp_path)
    few, many = (observe("count_live", path, "train_and_watch", count)["tensors"] for count in (FEW, MANY))
    assert many == few
