"""Odd ranks wait and reduce, even ranks reduce and wait."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    total = torch.zeros(1)
    for number in range(rank + 1):
        total += number
    if rank % 2:
        dist.barrier()  # wrong
        dist.reduce(total, dst=0)  # wrong
    else:
        dist.reduce(total, dst=0)  # wrong
        dist.barrier()  # wrong
    if rank == 0:
        print(total.item())
