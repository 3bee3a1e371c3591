"""Odd ranks wait in `broadcast`, even ranks begin it and wait then: for torch.distributed the same operation."""

import torch
import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    x = torch.ones(4)
    if rank % 2:
        dist.broadcast(x, src=0)
    else:
        work = dist.broadcast(x, src=0, async_op=True)
        work.wait()
    return world_size
