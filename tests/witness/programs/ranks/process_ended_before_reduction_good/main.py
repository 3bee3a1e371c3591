"""All reduce, then most leave."""

import torch
import torch.distributed as dist
from launch import rank_zero_goes_on_alone


def main():
    right = torch.tensor([4.0])
    dist.all_reduce(right)
    print(right.item())
    if dist.get_world_size() > 2:
        rank_zero_goes_on_alone()
    return right.item()
