"""A group whose members are written down: all of them must come, and nobody else is waited for."""

import torch
import torch.distributed as dist


def one_of_three():
    members = [0, 1, 2]
    group = dist.new_group(members)
    if dist.get_rank() == 0:
        dist.all_reduce(torch.ones(1), group=group)  # expect: TL101


def one_of_those_without_rank_0():
    group = dist.new_group(ranks=[1, 2, 3])
    if dist.get_rank() == 2:
        dist.barrier(group)  # expect: TL101
