"""TL301, TL302: what is alive grows with the passes, and does not after the repair."""

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
    assert observe("count_live", path, "train", MANY)["nodes"] == observe("count_live", path, "train", FEW)["nodes"]


@pytest.mark.witness
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_kept_graph_without_a_backward_pass_keeps_its_tensors(name: str, tmp_path: Path) -> None:
    few, many = (observe("count_live", program(name), "judge", count)["tensors"] for count in (FEW, MANY))
    assert many - few >= MANY - FEW
    path = repaired(name, tmp_path)
    assert observe("count_live", path, "judge", MANY)["tensors"] == observe("count_live", path, "judge", FEW)["tensors"]
