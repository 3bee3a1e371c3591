"""TL101, TL102: one of two gloo processes waits until its timeout; repaired, both come to their end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import Rank, launch, program, repaired

TIMED_OUT = "imed out"


def assert_waits(ranks: list[Rank], waiting: int) -> None:
    """One rank fails by its timeout, the other does not notice."""
    for number, rank in enumerate(ranks):
        assert (rank.status != 0) == (number == waiting), rank.complained
    assert TIMED_OUT in ranks[waiting].complained


def assert_through(ranks: list[Rank]) -> None:
    """All ranks end well."""
    assert [rank.status for rank in ranks] == [0] * len(ranks), "\n".join(rank.complained for rank in ranks)


@pytest.mark.witness
def test_an_average_that_one_rank_asks_for_hangs(tmp_path: Path) -> None:
    assert_waits(launch(program("averaged_by_one"), tmp_path), waiting=0)
    path = repaired("averaged_by_one", tmp_path)
    ranks = launch(path, tmp_path)
    assert_through(ranks)
    assert [rank.said for rank in ranks] == ["mean loss 1.5\n", ""]


@pytest.mark.witness
def test_a_barrier_in_one_branch_hangs(tmp_path: Path) -> None:
    assert_waits(launch(program("waited_for_by_one"), tmp_path), waiting=1)
    ranks = launch(repaired("waited_for_by_one", tmp_path), tmp_path)
    assert_through(ranks)
    assert [rank.said for rank in ranks] == ["written\n", "written\n"]


@pytest.mark.witness
def test_a_barrier_after_a_return_hangs(tmp_path: Path) -> None:
    # TL102 proposes no edits; the repaired program is written by hand, and test_programs.py says that it is silent.
    assert_waits(launch(program("left_early"), tmp_path), waiting=0)
    assert_through(launch(program("left_early_repaired"), tmp_path))
