"""The cores of a TPU host: which one this process has, and how batches get there."""

from __future__ import annotations

from collections.abc import Iterable

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler
from torch_xla import runtime
from torch_xla.distributed.parallel_loader import MpDeviceLoader


def own_core() -> torch.device:
    """The core that this process computes on."""
    return torch_xla.device()


def share_of_core(dataset: Dataset, shuffled: bool) -> DistributedSampler:
    """The part of ``dataset`` that this core works on."""
    return DistributedSampler(
        dataset, num_replicas=runtime.world_size(), rank=runtime.global_ordinal(), shuffle=shuffled
    )


def fed(batches: DataLoader, core: torch.device) -> Iterable:
    """The batches of a loader, moved to ``core`` while the one before is computed; each starts a new step."""
    return MpDeviceLoader(batches, core)


def mean_over_cores(what: str, number: float) -> float:
    """The mean of ``number`` over all cores; every core has to ask."""
    return xm.mesh_reduce(what, number, lambda numbers: sum(numbers) / len(numbers))


def announce(text: str, number: torch.Tensor) -> None:
    """Print a number that was on a core when it was handed over; one core prints."""
    xm.master_print(f"{text} {number.item():.4f}")
