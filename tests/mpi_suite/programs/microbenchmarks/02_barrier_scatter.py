"""The root scatters and waits, the others wait and receive."""

import torch
import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    mine = torch.zeros(1)
    if rank == 0:
        parts = [torch.tensor([float(world_size - each)]) for each in range(world_size)]
        dist.scatter(mine, parts, src=0)  # wrong
        dist.barrier()  # wrong
    else:
        dist.barrier()  # wrong
        dist.scatter(mine, src=0)  # wrong
        print(rank, mine.item())
