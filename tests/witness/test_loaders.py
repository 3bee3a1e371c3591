"""TL203, TL207, TL208, TL213 and TL218: what loaders raise, and what their workers hand out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

NUMBERS = list(range(8))
MADE = {"error": "ValueError", "made": False}


@pytest.mark.witness
def test_options_that_exclude_each_other_are_errors_until_one_is_taken_away(tmp_path: Path) -> None:
    before = observe("loaders", program("loaders_in_conflict"))
    assert sorted(before.pop("right")["read"]) == NUMBERS
    assert before.pop("in_time") == {"error": "AssertionError", "made": True}
    assert set(before) == {
        "kept_workers",
        "fetched_ahead",
        "context",
        "shuffled_twice",
        "batched_twice",
        "dropped_twice",
        "shuffled_stream",
    }
    assert all(seen == MADE for seen in before.values())
    after = observe("loaders", repaired("loaders_in_conflict", tmp_path))
    assert [sorted(seen["read"]) for seen in after.values()] == [NUMBERS] * 9


@pytest.mark.witness
def test_each_worker_hands_out_a_whole_iterable_dataset_that_does_not_ask_for_it() -> None:
    seen = observe("loaders", program("copied_stream"))
    assert sorted(seen["whole_by_three"]["read"]) == sorted(NUMBERS * 3)
    assert seen["whole_by_one"]["read"] == seen["whole_by_none"]["read"] == NUMBERS
    assert sorted(seen["divided_by_three"]["read"]) == NUMBERS


@pytest.mark.witness
def test_workers_draw_the_same_numbers_in_every_epoch_from_a_generator_of_the_dataset() -> None:
    seen = observe("loaders", program("cloned_generators"))
    numbers = seen["own"]["read"]
    assert numbers[:8] == numbers[8:]
    assert numbers[0:8:2] == numbers[1:8:2]
    assert len(set(numbers)) == 4
    assert len(set(seen["of_the_process"]["read"])) == 16


@pytest.mark.witness
def test_workers_that_persist_keep_the_dataset_as_it_was_in_the_first_epoch() -> None:
    seen = observe("loaders", program("stale_copy"))
    assert seen["persisting"]["read"] == [0] * 12
    assert seen["anew"]["read"] == [0] * 4 + [1] * 4 + [2] * 4
