"""Stairs that do not arrive at one floor."""

import torch.distributed as dist


def half(work):
    for _ in range(dist.get_rank()):  # expect: TL109
        dist.barrier()
    work()


def up_twice(work):
    for _ in range(dist.get_rank()):  # expect: TL109
        dist.barrier()
    work()
    for _ in range(dist.get_rank()):  # expect: TL109
        dist.barrier()


def one_floor_short(work):
    for _ in range(dist.get_rank()):  # expect: TL109
        dist.barrier()
    work()
    for _ in range(2 * dist.get_rank()):  # expect: TL109
        dist.barrier()


def another_collective(work, flag):
    for _ in range(dist.get_world_size() + dist.get_rank()):  # expect: TL109
        dist.all_reduce(flag)
    work()
    for _ in range(dist.get_rank()):  # expect: TL109
        dist.barrier()


def up(rounds):
    for _ in range(rounds):  # expect: TL109
        dist.barrier()


def never_down(work):
    up(dist.get_rank())
    work()


def only_one_comes(items, step):
    if dist.get_rank() == 0:
        for item in items[dist.get_rank() :: dist.get_world_size()]:
            dist.all_reduce(step(item))  # expect: TL101


def the_others_left(items, step):
    if dist.get_rank() != 0:
        return
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_reduce(step(item))  # expect: TL102


def shards_and_stairs(work):
    for _ in range(dist.get_rank(), 11, dist.get_world_size()):  # expect: TL109
        dist.barrier()
    for _ in range(dist.get_rank()):
        dist.barrier()
    work()
    for _ in range(dist.get_world_size() - dist.get_rank()):
        dist.barrier()
