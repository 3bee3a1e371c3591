"""The rank decides a number and the number decides."""

import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    kind = 0
    if world_size < 2:
        print("at least two ranks are needed")
        return
    if not rank:
        kind = 1
    else:
        kind = 2
    if kind == 2:
        dist.barrier()  # wrong
