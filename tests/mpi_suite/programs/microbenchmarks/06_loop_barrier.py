"""Odd ranks go through nine barriers, even ranks through ten."""

import torch.distributed as dist


def main():
    rank = dist.get_rank()
    first, second = 1, 10
    if rank % 2:
        while first < 10:
            dist.barrier()  # wrong
            first += 1
    else:
        while second < 20:
            dist.barrier()  # wrong
            second += 1
