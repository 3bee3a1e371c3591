"""Correct: every rank makes every group, or only members need to."""

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def rows(rank, world_size, width):
    own = None
    for start in range(0, world_size, width):
        ranks = list(range(start, start + width))
        group = dist.new_group(ranks)
        if rank in ranks:
            own = group
    return own


def chosen_by_rank(rank):
    members = [0, 3] if rank in (0, 3) else [1, 2]
    return dist.new_group(members)


def members_only(rank, members):
    if rank in members:
        return dist.new_group(members, use_local_synchronization=True)
    return None


def on_demand(world_size):
    if world_size == 1:
        return None
    return init_device_mesh("cuda", (world_size,))


def second_backend():
    if dist.get_backend() == "nccl":
        return dist.new_group(backend="gloo")
    return dist.group.WORLD


def used_by_members(tensor, rank):
    pair = dist.new_group([0, 1])
    if rank in (0, 1):
        dist.broadcast(tensor, src=0, group=pair)


def in_both_arms(rank, first, second):
    if rank in first:
        group = dist.new_group(first)
    else:
        group = dist.new_group(second)
    return group


def new_group(names):
    return sorted(names)


def tabs(rank, names):
    if rank == 0:
        return new_group(names)
    return names
