"""Misspelt keys: what is a slip, what may be somebody's own, and tables that fit together."""

from __future__ import annotations

import pytest

from trainlint.jobs.unknown_keys import nearest_key
from trainlint.knowledge import load_knowledge

KNOWN = (
    "train_batch_size",
    "gradient_accumulation_steps",
    "stage3_max_live_parameters",
    "min_loss_scale",
    "fp16",
    "pin_memory",
    "stage",
)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("train_bacth_size", "train_batch_size"),
        ("trainbatch_size", "train_batch_size"),
        ("Train_Batch_Size", "train_batch_size"),
        ("gradient_acumulation_steps", "gradient_accumulation_steps"),
        ("gradient_accumulation_step", "gradient_accumulation_steps"),
        ("stage3_max_live_paramters", "stage3_max_live_parameters"),
        ("pin_memroy", "pin_memory"),
        ("stge", "stage"),
        ("FP16", "fp16"),
    ],
)
def test_a_slip(key: str, name: str) -> None:
    assert nearest_key(key, KNOWN) == name


@pytest.mark.parametrize(
    "key",
    [
        "eval_batch_size",  # another word
        "max_loss_scale",
        "batch_size",  # one word less
        "stage2_max_live_parameters",  # another number
        "fp8",
        "_fp16",  # switched off
        "fp16_",
        "//stage",
        "train-batch-size",  # how others write arguments
        "size",
        "",
        "x" * 1000,
        "train_batch_size",
    ],
)
def test_no_slip(key: str) -> None:
    assert nearest_key(key, KNOWN) is None


def test_two_that_are_as_near_are_no_guess() -> None:
    assert nearest_key("offload_paran", ["offload_param", "offload_paraf"]) is None


def test_sections_stand_in_the_sections_around_them() -> None:
    tables = load_knowledge({}).tables
    keys = tables["configurations.keys"]
    for section in keys:
        around, _, name = section.rpartition(".")
        assert not around or around not in keys or name in keys[around], section
    assert set(tables["configurations.refused"]["names"]) <= set(keys)
    assert all(set(own) <= set(keys[library]) for library, own in tables["configurations.own"].items())
    assert all(len(names) == len(set(names)) for names in keys.values())


def test_no_known_key_is_taken_for_a_slip_of_another() -> None:
    """Each key of a library, where it stands in a section that does not have it, is another section's: ``elsewhere``."""
    keys = load_knowledge({}).tables["configurations.keys"]
    for names in keys.values():
        assert not [name for name in names if nearest_key(name, names) is not None]
