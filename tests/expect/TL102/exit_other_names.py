"""Every other word for rank zero, negated."""

import os

import torch.distributed as dist

RANK = int(os.getenv("RANK", -1))


def minus_one_or_zero(tensor):
    if RANK not in {-1, 0}:
        return
    dist.all_reduce(tensor)  # expect: TL102


def local_minus_one_or_zero(args, tensor):
    if args.local_rank not in [-1, 0]:
        return
    dist.all_reduce(tensor)  # expect: TL102


def positive_local_rank(local_rank, tensor):
    if local_rank > 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def is_rank_0():
    return dist.get_rank() == 0


def is_root_worker():
    return int(os.environ.get("RANK", 0)) == 0


def rank_zero_helper(tensor):
    if not is_rank_0():
        return
    dist.all_reduce(tensor)  # expect: TL102


def root_helper(tensor):
    if not is_root_worker():
        return
    dist.all_reduce(tensor)  # expect: TL102


def master_flag(tensor):
    master_process = int(os.environ["RANK"]) == 0
    if not master_process:
        return
    dist.all_reduce(tensor)  # expect: TL102


def chief_or_cpu(rank, tensor):
    if not ((rank == 0) or (rank == "cpu")):
        return
    dist.all_reduce(tensor)  # expect: TL102


def global_rank(cfg, tensor):
    if cfg.global_rank != 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


class Node:
    def __init__(self):
        self._is_rank_zero = dist.get_rank() == 0
        self.is_chief = self._is_rank_zero
        self.is_global_rank_0 = self.is_chief

    @property
    def is_root(self):
        return self._is_rank_zero

    def private_flag(self, tensor):
        if not self._is_rank_zero:
            return
        dist.all_reduce(tensor)  # expect: TL102

    def chief(self, tensor):
        if not self.is_chief:
            return
        dist.all_reduce(tensor)  # expect: TL102

    def global_flag(self, tensor):
        if not self.is_global_rank_0:
            return
        dist.all_reduce(tensor)  # expect: TL102

    def root(self, tensor):
        if not self.is_root:
            return
        dist.all_reduce(tensor)  # expect: TL102
