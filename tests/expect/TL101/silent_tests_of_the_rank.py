"""The same ways of asking where every rank answers alike, or every rank arrives all the same."""

import os

import torch.distributed as dist

RANK = int(os.environ.get("RANK", -1))


def minus_one(tensor, rank):
    if rank not in [-1]:
        dist.all_reduce(tensor)


def distributed(tensor):
    if RANK != -1 and dist.is_initialized():
        dist.all_reduce(tensor)


def at_least(tensor, rank):
    if rank >= 0:
        dist.all_reduce(tensor)


def more_than_minus_one(tensor, rank):
    if rank > -1:
        dist.all_reduce(tensor)


def is_a_number(tensor, rank):
    if isinstance(rank, int) and rank is not None:
        dist.all_reduce(tensor)


def always(tensor, rank):
    if rank == 0 or rank != 0:
        dist.all_reduce(tensor)


def within_the_world(tensor, rank, world_size):
    if 0 <= rank < world_size:
        dist.all_reduce(tensor)


def all_in_range(tensor, rank, world_size):
    if rank in range(world_size):
        dist.all_reduce(tensor)


def either_arm(tensor, rank):
    return dist.all_reduce(tensor) if rank == 0 else dist.all_reduce(-tensor)


def by_match(tensor, rank):
    match rank:
        case 0:
            dist.all_reduce(tensor)
        case _:
            dist.all_reduce(-tensor)


def checked(tensor, rank):
    assert rank >= 0
    assert 0 <= rank < dist.get_world_size()
    dist.all_reduce(tensor)


def filtered(tensors, rank):
    mine = [tensor for index, tensor in enumerate(tensors) if index % dist.get_world_size() == rank]
    dist.all_reduce(mine[0])


def numbered(tensors, rank):
    for index, tensor in enumerate(tensors):
        if index == rank:
            print("mine")
        dist.all_reduce(tensor)


def chosen_value(rank, source, target):
    tensor = source if rank == 0 else target
    dist.broadcast(tensor, 0)


def chosen_function(tensor, rank):
    fill = tensor.zero_ if rank else tensor.fill_
    fill()
    dist.all_reduce(tensor)


def by_lambda(tensor):
    leads = lambda: dist.get_rank() == 0  # noqa: E731
    dist.all_reduce(tensor)
    if leads():
        print(tensor)


def by_dispatch(tensor, rank):
    announce = {True: print, False: len}[rank == 0]
    announce(tensor)
    dist.all_reduce(tensor)


def by_walrus(tensor):
    if (world := dist.get_world_size()) > 1:
        dist.all_reduce(tensor)
    return world


def quiet_loop(tensor, rank, queue):
    while rank == 0:
        if queue.empty():
            break
    dist.all_reduce(tensor)
