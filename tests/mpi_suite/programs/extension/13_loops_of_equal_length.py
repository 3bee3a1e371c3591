"""Odd and even ranks go through nine barriers each, in loops of their own."""

import torch.distributed as dist


def main():
    rank = dist.get_rank()
    first, second = 1, 1
    if rank % 2:
        while first < 10:
            dist.barrier()
            first += 1
    else:
        while second < 10:
            dist.barrier()
            second += 1
