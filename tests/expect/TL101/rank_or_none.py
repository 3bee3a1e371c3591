"""A rank that is None without a job, and a barrier for some of the ranks in a job."""

import os
from contextlib import contextmanager

import torch.distributed as dist


@contextmanager
def one_first(place):
    if place is not None and place not in [-1, 0]:
        dist.barrier()  # expect: TL101
    yield
    if place == -1:
        dist.barrier()


def main(args, make):
    place = int(os.environ["LOCAL_RANK"]) if args.distributed else None
    with one_first(place):
        data = make(args)
    return data


def in_a_function(tensor, args):
    place = dist.get_rank() if args.distributed else -1
    if place in (-1, 0):
        dist.all_reduce(tensor)  # expect: TL101
