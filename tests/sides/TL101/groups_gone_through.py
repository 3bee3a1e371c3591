"""Loops over lists that are written down: each rank asks which of the items is its own, or all do the same for each."""

import torch
import torch.distributed as dist

GROUPS = [[0, 1], [2, 3]]
RANKS = (0, 1, 2, 3)


def own_item_only():
    for rank in RANKS:
        if rank == dist.get_rank():
            dist.barrier()


def one_item_only():
    for rank in RANKS:
        if rank == 2 and rank == dist.get_rank():
            dist.barrier()  # expect: TL101


def one_item_of_those_named(args):
    for rank in RANKS:
        if rank == dist.get_rank() and rank == args.chief:
            dist.barrier()  # expect: TL101


def all_but_one():
    for rank in [0, 1, 2]:
        if rank == dist.get_rank():
            dist.barrier()  # expect: TL101


def each_for_all(work):
    for rank in RANKS:
        work(rank)
        dist.barrier()


def left_at_its_own(work):
    for rank in RANKS:
        if rank == dist.get_rank():
            break
        dist.barrier()  # expect: TL102


def left_for_all(work):
    for rank in RANKS:
        if rank == 2:
            break
        dist.barrier()


def own_group():
    for ranks in GROUPS:
        if dist.get_rank() in ranks:
            dist.barrier()


def first_group():
    for ranks in GROUPS[:1]:
        if dist.get_rank() in ranks:
            dist.barrier()  # expect: TL101


def rounds_of_its_own():
    for _ in range(dist.get_rank()):  # expect: TL109
        dist.barrier()


def items_of_its_own():
    for _ in RANKS[dist.get_rank() :]:  # expect: TL109
        dist.barrier()


def as_many_items():
    for _ in RANKS[:2]:
        dist.barrier()


def in_any_group():
    if any(dist.get_rank() in ranks for ranks in GROUPS):
        dist.barrier()


def in_a_later_group():
    if any(dist.get_rank() in ranks for ranks in [[2, 3]]):
        dist.barrier()  # expect: TL101


def steps_of_its_own():
    steps = {rank: dist.barrier if rank == 0 else print for rank in range(4)}
    steps[dist.get_rank()]()  # expect: TL101


def steps_of_all():
    steps = {rank: dist.barrier for rank in range(4)}
    steps[dist.get_rank()]()


def steps_in_a_list():
    steps = [dist.barrier if rank < 2 else print for rank in range(4)]
    steps[dist.get_rank()]()  # expect: TL101


def pairs_of_its_own():
    groups = [dist.new_group([first, first + 1]) for first in (0, 2)]
    dist.all_reduce(torch.ones(1), group=groups[dist.get_rank() // 2])


def one_of_its_pair():
    groups = [dist.new_group([first, first + 1]) for first in (0, 2)]
    if dist.get_rank() % 2 == 0:
        dist.all_reduce(torch.ones(1), group=groups[dist.get_rank() // 2])  # expect: TL101
