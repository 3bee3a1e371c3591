"""The members of a group whose members are written down, each in its own."""

import torch
import torch.distributed as dist


def members_only():
    members = [0, 2]
    group = dist.new_group(members)
    if dist.get_rank() in members:
        dist.all_reduce(torch.ones(1), group=group)
    dist.barrier()


def halves(rounds):
    even, odd = dist.new_group([0, 2]), dist.new_group([1, 3])
    for _ in range(rounds):
        if dist.get_rank() % 2 == 0:
            dist.all_reduce(torch.ones(1), group=even)
        else:
            dist.all_reduce(torch.ones(1), group=odd)
    dist.barrier()


def own_half():
    even, odd = dist.new_group([0, 2]), dist.new_group([1, 3])
    own = even if dist.get_rank() % 2 == 0 else odd
    dist.all_reduce(torch.ones(1), group=own)


def everybody_calls():
    group = dist.new_group([0, 1])
    dist.all_reduce(torch.ones(1), group=group)


def in_a_loop_of_the_members(rounds):
    group = dist.new_group([0, 1])
    if dist.get_rank() < 2:
        for _ in range(rounds):
            dist.all_reduce(torch.ones(1), group=group)
    dist.barrier()


def talk(group):
    dist.all_reduce(torch.ones(1), group=group)


def in_a_helper():
    group = dist.new_group([0, 1])
    if dist.get_rank() in (0, 1):
        talk(group)


def two_halves_of_a_barrier():
    group = dist.new_group([0, 1])
    if dist.get_rank() == 1:
        dist.barrier(group=group)
    print("rank 0 works")
    if dist.get_rank() == 0:
        dist.barrier(group=group)


def more_ranks_than_the_example():
    group = dist.new_group([0, 8])
    if dist.get_rank() == 0:
        dist.all_reduce(torch.ones(1), group=group)
