"""TL117 to TL119, TL122, TL128, TL129, TL304, TL311, TL415, TL712: what is not trained, there, freed, added, and then is.

TL801 and TL802 have no witness: both are about a device that works on while Python goes ahead. On a CPU a call of PyTorch
returns when it is done, so that reading a value or a clock costs what it says; their harm shows on a GPU only. TL716 has none
either: what it reports goes wrong in accelerate, which is no part of the environment in which witnesses run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import launch, observe, program, repaired

FEW, MANY = 10, 40


@pytest.mark.witness
def test_a_block_whose_inputs_need_no_gradient_is_not_trained() -> None:
    assert observe("moved", program("unreached_block"), 1, 10) == [0.0, 0.0]
    # The first step: the gradient of each weight is the other one, which is 1.
    assert observe("moved", program("reached_block"), 1) == [0.125]


@pytest.mark.witness
def test_a_sum_in_16_bits_stops(tmp_path: Path) -> None:
    assert observe("returned", program("sum_that_stops"), "train", 1000) == 256.0
    assert observe("returned", repaired("sum_that_stops", tmp_path), "train", 1000) == 1000.0


@pytest.mark.witness
def test_a_graph_that_is_kept_is_alive_beside_the_next(tmp_path: Path) -> None:
    few, many = observe("count_live", program("graph_kept_for_nothing"), "train", FEW, MANY)
    freed = observe("count_live", repaired("graph_kept_for_nothing", tmp_path), "train", FEW)[0]
    assert many == few  # it does not pile up ...
    assert few["tensors"] == 2 * freed["tensors"]  # ... but two of them are there at once


@pytest.mark.witness
def test_a_cycle_that_is_counted_in_batches_never_gets_far_in_epochs() -> None:
    by_epochs = observe("returned", program("warmed_up_by_epochs"), "train", FEW)
    by_batches = observe("returned", program("warmed_up_by_batches"), "train", FEW)
    assert by_batches["highest"] == pytest.approx(1.0, abs=0.01)
    assert by_batches["last"] < 0.01
    assert by_epochs["highest"] < 0.2
    assert by_epochs["last"] == by_epochs["highest"]  # it still goes up


@pytest.mark.witness
def test_replicas_drift_apart_when_the_wrapper_is_passed_by(tmp_path: Path) -> None:
    apart = launch(program("replicas_apart"), tmp_path)
    assert [rank.status for rank in apart] == [0, 0], [rank.complained for rank in apart]
    assert [float(rank.said) for rank in apart] == [-2.0, -4.0]
    together = launch(repaired("replicas_apart", tmp_path), tmp_path)
    assert [float(rank.said) for rank in together] == [-3.0, -3.0]


@pytest.mark.witness
def test_an_older_optimizer_never_changes_a_sharded_model(tmp_path: Path) -> None:
    late = launch(program("sharded_behind_the_optimizer"), tmp_path)
    assert [rank.status for rank in late] == [0, 0], [rank.complained for rank in late]
    assert [rank.said.strip() for rank in late] == ["0.0 0.0", "0.0 0.0"]
    in_time = launch(repaired("sharded_behind_the_optimizer", tmp_path), tmp_path)
    assert [rank.said.strip() for rank in in_time] == ["-8.0 -8.0", "-8.0 -8.0"]


@pytest.mark.witness
def test_whole_tensors_and_shards_do_not_fit(tmp_path: Path) -> None:
    ranks = launch(program("loaded_into_shards"), tmp_path)
    assert [rank.status for rank in ranks] == [0, 0], [rank.complained for rank in ranks]
    assert [rank.said.split() for rank in ranks] == [["True", "True", "in_time"]] * 2


@pytest.mark.witness
def test_no_sync_around_the_backward_pass_alone_comes_too_late(tmp_path: Path) -> None:
    late = launch(program("exchanged_all_the_same"), tmp_path)
    assert [rank.status for rank in late] == [0, 0], [rank.complained for rank in late]
    assert [rank.said.split() for rank in late] == [["1.5", "3.0"]] * 2
    in_time = launch(repaired("exchanged_all_the_same", tmp_path), tmp_path)
    assert [rank.said.split() for rank in in_time] == [["1.0", "3.0"], ["2.0", "3.0"]]


@pytest.mark.witness
def test_what_was_not_waited_for_is_not_there(tmp_path: Path) -> None:
    sent, received = launch(program("read_before_it_came"), tmp_path)
    assert (sent.status, received.status) == (0, 0), received.complained
    early, late = map(float, received.said.split())
    assert early < late == float(sent.said) == 1 << 22


@pytest.mark.witness
def test_copies_train_the_temperature_and_not_the_model(tmp_path: Path) -> None:
    for name, learns in (("copies_of_features", False), ("own_features_put_back", True)):
        for rank in launch(program(name), tmp_path):
            assert rank.status == 0, rank.complained
            weights, scale = map(float, rank.said.split())
            assert scale > 0
            assert (weights > 0) is learns
