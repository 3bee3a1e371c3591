"""ColossalAI's coordinator, and a predicate that knows a spelling for "no distribution at all"."""

import torch.distributed as dist
from colossalai.cluster import DistCoordinator


def train(coordinator: DistCoordinator, loss):
    if coordinator.is_master():
        dist.all_reduce(loss)  # expect: TL101


def made_here(loss):
    coordinator = DistCoordinator()
    if coordinator.is_master():
        dist.all_reduce(loss)  # expect: TL101


def validate(rank, loss):
    if (rank == 0) or (rank == "cpu"):
        dist.all_reduce(loss)  # expect: TL101
    return loss
