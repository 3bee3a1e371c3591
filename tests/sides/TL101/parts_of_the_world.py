"""Which group the rank is asked in: that of all ranks, by one of its names, or another one that all are in."""

import functools

import torch.distributed as dist


def no_group():
    if dist.get_rank() == 0:
        dist.barrier()  # expect: TL101


def the_group_of_all():
    if dist.get_rank(dist.group.WORLD) == 0:
        dist.barrier()  # expect: TL101


def the_group_of_all_by_keyword():
    if dist.get_rank(group=dist.group.WORLD) == 0:
        dist.barrier()  # expect: TL101


def none_for_all():
    if dist.get_rank(None) == 0:
        dist.barrier()  # expect: TL101


def none_for_all_by_keyword():
    if dist.get_rank(group=None) == 0:
        dist.barrier()  # expect: TL101


def size_of_the_group_of_all():
    if dist.get_world_size(dist.group.WORLD) > 1:
        dist.barrier()


def size_of_a_group(group):
    if dist.get_world_size(group) > 1:
        dist.barrier()


def asks(rank, least=0):
    return rank > least


def partly_given():
    beyond = functools.partial(asks, least=1)
    if beyond(dist.get_rank()):
        dist.barrier()  # expect: TL101


def partly_given_the_setting(args):
    beyond = functools.partial(asks, least=1)
    if beyond(args.depth):
        dist.barrier()


def partly_given_one_of_two(args):
    kind = asks if args.strict else max
    beyond = functools.partial(kind, args.depth)
    if beyond(2):
        dist.barrier()


def by_name(args):
    if getattr(args, "local_rank") == 0:
        dist.barrier()  # expect: TL101


def by_another_name(args):
    if getattr(args, "depth") == 0:
        dist.barrier()


def by_a_name_from_outside(args):
    if getattr(args, args.name) == 0:
        dist.barrier()


def has_it(args):
    if hasattr(args, "rank"):
        dist.barrier()


def asked_twice(args):
    if hasattr(args, "saver") or dist.get_rank() == 0:
        if hasattr(args, "saver"):
            dist.barrier()


def asked_for_another(args):
    if hasattr(args, "saver") or dist.get_rank() == 0:
        if hasattr(args, "loader"):
            dist.barrier()  # expect: TL101
