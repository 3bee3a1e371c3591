"""What only looks as if ranks had agreed: the call makes something else on each of them."""

import os

import torch
import torch.distributed as dist


def named(rank, thing):
    return thing if rank == 0 else None


def go_on(options):
    rank = dist.get_rank()
    start = max(os.listdir(options.folder)) if rank == 0 else None
    if options.several:
        start = named(rank, start)
    if start:
        dist.all_reduce(torch.zeros(1))  # expect: TL101
