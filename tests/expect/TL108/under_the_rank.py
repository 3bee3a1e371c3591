"""Making a group is a collective over the world, for members and others alike."""

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def pair(rank):
    if rank in (0, 1):
        return dist.new_group([0, 1])  # expect: TL108
    return None


def mesh(rank, world_size):
    if rank == 0:
        return init_device_mesh("cuda", (world_size,))  # expect: TL108
    return None


def for_members(members):
    if dist.get_rank() not in members:
        return None
    group = dist.new_group(ranks=members, backend="nccl")  # expect: TL108
    return group


class Optimizer:
    """Groups are made where they are needed first: by the ranks that do."""

    def __init__(self, per_group):
        self.rank = dist.get_rank()
        self.per_group = per_group
        self.reduction = None
        if self.rank < 2:
            self._make(list(range(2)))  # expect: TL108

    def _make(self, ranks):
        self.reduction = dist.new_group(ranks=ranks)


def by_parity(rank, world_size):
    if rank % 2 == 0:
        even = dist.new_group(list(range(0, world_size, 2)))  # expect: TL108
        return even
    return None
