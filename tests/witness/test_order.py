"""TL201: every epoch has the order of the first, and does not after the repair; the ranks still share the data out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

RANKS, EPOCHS = 2, 3
EVERYTHING = list(range(16))


@pytest.mark.witness
def test_epochs_repeat_their_order_until_set_epoch_is_called(tmp_path: Path) -> None:
    before = observe("orders", program("same_order"), RANKS, EPOCHS)
    assert all(order == orders[0] for orders in before for order in orders)
    after = observe("orders", repaired("same_order", tmp_path), RANKS, EPOCHS)
    assert all(len({tuple(order) for order in orders}) == EPOCHS for orders in after)
    for epoch in range(EPOCHS):
        assert sorted(number for orders in after for number in orders[epoch]) == EVERYTHING
