"""TL601 and TL904: what runs when a checkpoint is opened, and what old names of mixed precision say and compute."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

STEPS = 12


@pytest.mark.witness
def test_an_opened_checkpoint_runs_what_it_names(tmp_path: Path) -> None:
    assert observe("returned", program("opened_checkpoint"), "load", 2) == [True, True]
    assert observe("returned", repaired("opened_checkpoint", tmp_path), "load", 2) == [False, False]


@pytest.mark.witness
def test_old_names_of_mixed_precision_warn_and_the_new_ones_compute_the_same(tmp_path: Path) -> None:
    before, after = program("device_in_the_name"), repaired("device_in_the_name", tmp_path)
    said = observe("warned", before, "train", STEPS)
    for name in ("torch.cpu.amp.autocast", "torch.cpu.amp.GradScaler", "torch.cuda.amp.custom_fwd", "torch.cuda.amp.custom_bwd"):
        assert any(f"`{name}(args...)` is deprecated" in text for text in said), name
    assert observe("warned", after, "train", STEPS) == []
    losses = observe("losses", before, STEPS)
    assert losses[-1] < losses[0]
    assert observe("losses", after, STEPS) == losses
