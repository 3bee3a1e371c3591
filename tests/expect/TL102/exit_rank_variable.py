"""The others leave with `return`; whoever stays waits for them. A rank in a variable, parameter, attribute, environment."""

import os

import torch.distributed as dist


def variable(tensor):
    rank = dist.get_rank()
    if rank != 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def parameter(rank, tensor):
    if rank > 0:
        return None
    print("leader")
    dist.all_reduce(tensor)  # expect: TL102
    return tensor


def truthiness(rank, tensor):
    if rank:
        return
    dist.all_reduce(tensor)  # expect: TL102


def negated_comparison(rank, tensor):
    if not rank == 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def attribute(args, tensor):
    if args.rank != 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def call_in_the_test(tensor):
    if dist.get_rank() != 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def guarded_call_in_the_test(tensor):
    if dist.is_initialized() and dist.get_rank() != 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def environment(tensor):
    if int(os.environ["RANK"]) != 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def environment_as_text(tensor):
    if os.environ.get("LOCAL_RANK", "0") != "0":
        return
    dist.all_reduce(tensor)  # expect: TL102


class Reporter:
    def __init__(self):
        self.rank = dist.get_rank()
        self.is_leader = self.rank == 0

    def by_rank(self, tensor):
        if self.rank != 0:
            return
        dist.all_reduce(tensor)  # expect: TL102

    def by_flag(self, tensor):
        if not self.is_leader:
            return
        dist.all_reduce(tensor)  # expect: TL102
