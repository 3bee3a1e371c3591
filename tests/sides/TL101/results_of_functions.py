"""A small function of the project answers which rank this is: by its ways out, in a with, a try, a loop, a tuple."""

import os

import torch.distributed as dist


def by_an_if():
    if dist.get_rank() == 0:
        return True
    return False


def by_an_else():
    if dist.get_rank() != 0:
        print("not the first")
    else:
        return True
    return False


def by_a_deep_else(early):
    if early:
        return None
    if dist.get_rank() == 0:
        print("first")
        first = True
    else:
        if dist.get_world_size() > 1:
            return False
        first = True
    return first


def in_a_with(lock):
    with lock:
        return dist.get_rank() == 0


def in_a_with_by_an_if(lock):
    if lock:
        with lock:
            return dist.get_rank() == 0
    return dist.get_rank() == 0


def in_a_try():
    try:
        return dist.get_rank() == 0
    except RuntimeError:
        return True


def in_a_loop(names):
    for name in names:
        if name:
            return dist.get_rank() == 0
    return True


def nothing_at_all():
    print("hello")


def nothing_for_some():
    if dist.get_rank() == 0:
        return 1
    return None


def fails_for_some():
    if dist.get_world_size() == 1:
        raise RuntimeError("alone")
    return dist.get_rank() == 0


def pair():
    return dist.get_rank() == 0, dist.get_world_size() > 1


def pair_or_none(args):
    if args is None:
        return None
    return dist.get_rank() == 0, dist.get_world_size() > 1


def gathered():
    found = [None] * dist.get_world_size()
    dist.all_gather_object(found, dist.get_rank())
    return found[0] == 0


def told(path):
    found = [os.path.exists(path) if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(found, src=0)
    return found[0]


def asks_an_if():
    if by_an_if():
        dist.barrier()  # expect: TL101


def asks_an_else():
    if by_an_else():
        dist.barrier()  # expect: TL101


def asks_a_deep_else():
    if by_a_deep_else(False):
        dist.barrier()  # expect: TL101


def asks_a_with(lock):
    if in_a_with(lock):
        dist.barrier()  # expect: TL101


def asks_a_with_by_an_if(lock):
    if in_a_with_by_an_if(lock):
        dist.barrier()  # expect: TL101


def asks_a_try():
    if in_a_try():
        dist.barrier()  # expect: TL101


def asks_a_loop(names):
    if in_a_loop(names):
        dist.barrier()


def asks_nothing():
    if nothing_at_all():
        dist.barrier()


def asks_nothing_for_some():
    if nothing_for_some():
        dist.barrier()  # expect: TL101


def asks_nothing_for_some_whether():
    if nothing_for_some() is not None:
        dist.barrier()  # expect: TL101


def asks_what_may_fail():
    if fails_for_some():
        dist.barrier()  # expect: TL101


def asks_the_first_of_a_pair():
    first, _ = pair()
    if first:
        dist.barrier()  # expect: TL101


def asks_the_second_of_a_pair():
    _, several = pair()
    if several:
        dist.barrier()


def asks_the_first_by_number():
    if pair()[0]:
        dist.barrier()  # expect: TL101


def asks_the_last_by_number():
    if pair()[-1]:
        dist.barrier()


def asks_a_pair_or_none(args):
    if pair_or_none(args)[0]:
        dist.barrier()  # expect: TL101


def asks_a_pair_for_sure():
    if pair_or_none("args")[0]:
        dist.barrier()  # expect: TL101


def asks_what_was_gathered():
    if gathered():
        dist.barrier()


def asks_what_was_told(path):
    if told(path):
        dist.barrier()


FIRST = ("both", "none")


def asks_for_its_number():
    if (dist.get_rank() == 0, True)[0]:
        dist.barrier()  # expect: TL101
