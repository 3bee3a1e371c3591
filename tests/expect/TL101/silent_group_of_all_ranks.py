"""Groups of some ranks, groups that only one side uses, and halves of something right in a group that all use."""

import torch
import torch.distributed as dist


def members(tensor, ranks):
    group = dist.new_group(ranks)
    if dist.get_rank() in ranks:
        dist.all_reduce(tensor, group=group)


def of_some(tensor):
    group = dist.new_group([0, 1])
    if dist.get_rank() < 2:
        dist.all_reduce(tensor, group=group)


def on_all(tensor):
    group = dist.new_group()
    dist.all_reduce(tensor, group=group)


def only_one_side(tensor, group):
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)


def leaders(tensor, group, leaders_group):
    dist.all_reduce(tensor, group=group)
    if dist.get_rank() % 8 == 0:
        dist.all_reduce(tensor, group=leaders_group)


def both_sides(tensor, group):
    dist.barrier(group=group)
    if dist.get_rank() == 0:
        dist.broadcast(tensor, 0, group=group)
    else:
        dist.broadcast(tensor, 0, group=group)


def split(tensor, group, build):
    dist.barrier(group=group)
    if dist.get_rank() != 0:
        dist.barrier(group=group)
    build()
    if dist.get_rank() == 0:
        dist.barrier(group=group)


def first_of_the_group(tensor, group):
    dist.all_reduce(tensor, group=group)
    if dist.get_rank(group) == 0:
        dist.barrier(group=group)
    else:
        dist.barrier(group=group)


def of_the_pipeline(tensor, groups, rank):
    group = groups[rank // 2]
    dist.all_reduce(tensor, group=group)
    if rank == 0:
        dist.all_reduce(tensor, group=groups[0])


def members_only(tensor, group, ranks):
    rank = dist.get_rank()
    if rank not in ranks:
        return
    dist.all_reduce(tensor, group=group)
    if rank in ranks:
        dist.barrier(group=group)


def not_a_member(tensor, group):
    if group is None:
        return
    dist.all_reduce(tensor, group=group)
    if dist.get_rank() == 0:
        print(tensor)


def of_the_node(tensor, group, across, local_rank):
    dist.all_reduce(tensor, group=group)
    dist.barrier(group=across)
    if local_rank == 0:
        dist.all_reduce(tensor, group=across)
    dist.broadcast(tensor, 0, group=group)


def of_a_stage(tensor, tensor_group, stage):
    dist.all_reduce(tensor, group=tensor_group)
    if stage == 0:
        dist.all_reduce(tensor, group=tensor_group)


def under_a_test_only(tensor, group, members):
    if dist.get_rank() in members:
        dist.barrier(group=group)
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)
