"""The rank decides a number, the number decides whether a function is called, and that one reduces."""

import torch
import torch.distributed as dist


def reduce_if_many(limit):
    value = torch.tensor([12.0])
    if limit > 1:
        dist.reduce(value, dst=0)  # wrong


def both(rank, world_size):
    if rank % 2:
        kind = 1
    else:
        kind = 2
    if kind == 1:
        reduce_if_many(world_size)  # wrong
    dist.barrier()


def main():
    both(dist.get_rank(), dist.get_world_size())
