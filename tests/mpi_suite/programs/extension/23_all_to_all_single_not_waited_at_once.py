"""Odd ranks wait in `all_to_all_single`, even ranks begin it and wait then: for torch.distributed the same operation."""

import torch
import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    x, y = torch.ones(4), torch.ones(4)
    if rank % 2:
        dist.all_to_all_single(y, x)
    else:
        work = dist.all_to_all_single(y, x, async_op=True)
        work.wait()
    return world_size
