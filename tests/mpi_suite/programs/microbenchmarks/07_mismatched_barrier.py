"""Only odd ranks come to the barrier."""

import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if world_size < 2:
        print("at least two ranks are needed")
        return
    if rank % 2:
        dist.barrier()  # wrong
