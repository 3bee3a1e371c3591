"""Making a group is a collective over the world, for members and others alike.

These belong to the more specific TL108 once that rule is there.
"""

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def pair(rank):
    if rank in (0, 1):
        return dist.new_group([0, 1])  # expect: TL101
    return None


def mesh(rank, world_size):
    if rank == 0:
        return init_device_mesh("cuda", (world_size,))  # expect: TL101
    return None
