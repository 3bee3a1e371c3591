"""A variable is the same everywhere at first, and then depends on the rank."""

import torch.distributed as dist


def meet(wanted):
    if wanted:
        dist.barrier()


def main():
    rank = dist.get_rank()
    wanted = 1
    dist.barrier()
    meet(wanted)
    wanted = rank % 2
    if wanted:
        dist.barrier()  # wrong
