"""Two names of one list; through one of them its number becomes the rank."""

import torch.distributed as dist


def main():
    number = [1]
    other = number
    if number[0] > 0:
        dist.barrier()
    other[0] = dist.get_rank()
    if number[0] > 0:
        dist.barrier()  # wrong
