"""A rank that is None without a job: whether it is one of several numbers is asked of either value."""

import os
from contextlib import contextmanager

import torch
import torch.distributed as dist


@contextmanager
def one_first(place):
    if place is not None and place not in [-1, 0]:
        dist.barrier()
    yield
    if place == 0:
        dist.barrier()


def main(args, make):
    place = int(os.environ["LOCAL_RANK"]) if args.distributed else None
    with one_first(place):
        data = make(args)
    return data


def in_a_function(tensor, args):
    place = dist.get_rank() if args.distributed else -1
    if place in (-1, 0):
        torch.save(tensor, args.path)
        if place == 0:
            dist.barrier()
    if place not in (-1, 0):
        dist.barrier()
