"""Odd ranks wait at the barrier, even ranks begin it in a function and wait there: for torch.distributed the same operation."""

import torch.distributed as dist


def meet():
    work = dist.barrier(async_op=True)
    work.wait()


def main():
    if dist.get_rank() % 2:
        dist.barrier()
    else:
        meet()
