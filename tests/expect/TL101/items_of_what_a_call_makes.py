"""The test of the rank comes out of what map, a comprehension or a generator of the file makes; or nobody knows what does."""

import torch.distributed as dist


def truth(value):
    return bool(value)


def same(value):
    return value


def once(value):
    yield value


def mapped(loss):
    flags = list(map(same, [dist.get_rank() == 0]))
    if flags[0]:
        dist.all_reduce(loss)  # expect: TL101


def collected(loss):
    flags = [flag for flag in [dist.get_rank() == 0]]
    if flags[0]:
        dist.all_reduce(loss)  # expect: TL101


def yielded(loss):
    for main in once(dist.get_rank() == 0):
        if main:
            dist.all_reduce(loss)  # expect: TL101


def for_all(loss):
    for main in once(dist.get_world_size() > 1):
        if main:
            dist.all_reduce(loss)


def of_somebody(loss, make):
    flags = list(make([dist.get_world_size()]))
    if flags[0]:
        dist.all_reduce(loss)
