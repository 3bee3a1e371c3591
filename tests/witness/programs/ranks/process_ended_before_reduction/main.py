"""A function of another file ends the process of all ranks but one."""

import torch
import torch.distributed as dist
from launch import rank_zero_goes_on_alone


def main():
    right = torch.tensor([4.0])
    rank_zero_goes_on_alone()
    dist.all_reduce(right)  # expect: TL102  # stuck: 0
    return right.item()
