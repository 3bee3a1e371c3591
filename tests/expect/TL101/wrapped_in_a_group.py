"""A model is wrapped for the ranks of a group, by those alone: the keyword is not ``group``."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def replicas(process_group=None):
    return DistributedDataParallel(torch.nn.Linear(4, 4), process_group=process_group)


def some_of_them(size):
    members = dist.new_group(ranks=list(range(size)))
    if dist.get_rank() < size:
        return replicas(process_group=members)
    return None


def all_or_some(size=None):
    world = dist.get_world_size()
    if size is None:
        size, members = world, None
    else:
        members = dist.new_group(ranks=list(range(size)))
    if dist.get_rank() < size:
        return replicas(process_group=members)
    return None


def without_the_group(size):
    dist.new_group(ranks=list(range(size)))
    if dist.get_rank() < size:
        return DistributedDataParallel(torch.nn.Linear(4, 4))  # expect: TL101
    return None
