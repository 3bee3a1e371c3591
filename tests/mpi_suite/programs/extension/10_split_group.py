"""Odd ranks reduce in their group and wait, even ranks wait and reduce in theirs."""

import torch
import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    total = torch.tensor([13.0])
    halves = [dist.new_group(list(range(start, world_size, 2))) for start in range(2)]
    mine = halves[rank % 2]
    if rank % 2:
        dist.all_reduce(total, group=mine)
        dist.barrier()
    else:
        dist.barrier()
        dist.all_reduce(total, group=mine)
    return dist.get_world_size()
