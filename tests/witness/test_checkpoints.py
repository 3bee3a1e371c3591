"""TL603 to TL612: what a run does that goes on from what an earlier one has saved, as it is and as it is repaired."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired


@pytest.mark.witness
def test_an_epoch_is_trained_twice(tmp_path: Path) -> None:
    assert observe("runs", program("epoch_trained_twice"), 3, 5) == [[0, 1, 2], [2, 3, 4]]
    assert observe("runs", repaired("epoch_trained_twice", tmp_path), 3, 5) == [[0, 1, 2], [3, 4]]


@pytest.mark.witness
def test_a_schedule_that_is_not_saved_begins_again() -> None:
    whole = [1.0, 1.0, 0.5, 0.5, 0.25, 0.25]
    assert observe("runs", program("schedule_begun_again"), 6) == [whole]
    assert observe("runs", program("schedule_begun_again"), 3, 6) == [[1.0, 1.0, 0.5], [0.5, 0.5, 0.25]]
    assert observe("runs", program("schedule_gone_on"), 3, 6) == [whole[:3], whole[3:]]


@pytest.mark.witness
def test_a_key_of_another_name_ends_the_resumed_run() -> None:
    assert observe("runs", program("key_of_another_name"), 2, 4) == [[0, 1], "KeyError"]


@pytest.mark.witness
def test_a_write_that_is_cut_off_leaves_half_a_checkpoint(tmp_path: Path) -> None:
    said = observe("runs", program("half_a_checkpoint"), 2, "3:20000", 4)
    assert said[0] == [0, 1]
    assert said[2] not in ([2, 3], [0, 1, 2, 3]), "the old checkpoint can be read still"
    assert isinstance(said[1], str)
    assert isinstance(said[2], str)
    cured = observe("runs", repaired("half_a_checkpoint", tmp_path), 2, "3:20000", 4)
    assert isinstance(cured[1], str)
    assert (cured[0], cured[2]) == ([0, 1], [2, 3])


@pytest.mark.witness
def test_nine_is_behind_ten_as_a_text(tmp_path: Path) -> None:
    assert observe("runs", program("nine_behind_ten"), 9, 12, 13) == [list(range(9)), [9, 10, 11], [10, 11, 12]]
    cured = observe("runs", repaired("nine_behind_ten", tmp_path), 9, 12, 13)
    assert cured == [list(range(9)), [9, 10, 11], [12]]
