"""Odd ranks wait in `reduce_scatter`, even ranks begin it and wait then: for torch.distributed the same operation."""

import torch
import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    x = torch.ones(4)
    parts = [torch.ones(4) for _ in range(world_size)]
    if rank % 2:
        dist.reduce_scatter(x, parts)
    else:
        work = dist.reduce_scatter(x, parts, async_op=True)
        work.wait()
    return world_size
