"""While one rank waits, the others gather; its own gathering comes too late."""

import torch.distributed as dist


def gathered(value):
    everywhere = [None] * dist.get_world_size()
    dist.all_gather_object(everywhere, value)  # stuck: 1
    return everywhere


def main():
    rank = dist.get_rank()
    if rank == 0:
        dist.barrier()  # stuck: 0
        values = gathered(rank)
    else:
        values = gathered(rank)  # expect: TL104
        dist.barrier()
    return values
