"""The groups are halves, the test is about quarters: ranks 0 and 2 wait in different places for each other."""

import torch
import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    total = torch.tensor([13.0])
    halves = [dist.new_group(list(range(start, world_size, 2))) for start in range(2)]
    mine = halves[rank % 2]
    if rank % 4:
        dist.barrier()  # wrong
        dist.all_reduce(total, group=mine)  # wrong
    else:
        dist.all_reduce(total, group=mine)  # wrong
        dist.barrier()  # wrong
