"""Ranks that wait before the body of a `with`, and those that come to it behind theirs (NVIDIA/NeMo)."""

import os
from contextlib import ContextDecorator

import torch.distributed as dist


class FirstOnEachNode(ContextDecorator):
    def __enter__(self):
        self.made_group = False
        self.first = True
        if not dist.is_initialized():
            self.made_group = self.try_to_start()
        if not dist.is_initialized():
            return True
        self.first = int(os.environ.get("LOCAL_RANK", dist.get_rank())) == 0
        if not self.first:
            dist.barrier()
        return self.first

    def __exit__(self, kind, error, trace):
        try:
            if self.first and dist.is_initialized():
                dist.barrier()
        finally:
            if self.made_group:
                dist.destroy_process_group()
        return False

    def try_to_start(self):
        if "RANK" not in os.environ:
            return False
        dist.init_process_group("nccl")
        return True


def load(path):
    with FirstOnEachNode():
        return open(path).read()


class NobodySeenEntersIt:
    def __init__(self, rank):
        self.rank = rank

    def __enter__(self):
        if self.rank > 0:
            dist.barrier()

    def __exit__(self, kind, error, trace):
        if self.rank == 0:
            dist.barrier()
