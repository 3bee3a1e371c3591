"""Odd ranks meet all ranks, even ranks meet each other."""

import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if world_size < 2:
        print("at least two ranks are needed")
        return
    odd = dist.new_group(list(range(1, world_size, 2)))
    even = dist.new_group(list(range(0, world_size, 2)))
    mine = odd if rank % 2 else even
    if rank % 2:
        dist.barrier()  # wrong
    else:
        dist.barrier(group=mine)  # wrong
