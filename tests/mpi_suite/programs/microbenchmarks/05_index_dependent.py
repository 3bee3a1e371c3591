"""A list is the same everywhere, what each rank reads from it is not."""

import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    numbers = []
    for number in range(world_size):
        numbers.append(10 * number)
    if numbers[rank] > 5:
        dist.barrier()  # wrong
