"""`is_root_worker()`, `is_root`, `is_chief`, `is_coordinator`: other words for rank zero."""

import os

import torch.distributed as dist


def is_root_worker():
    return int(os.environ.get("RANK", 0)) == 0


class Worker:
    def __init__(self):
        self.is_root = dist.get_rank() == 0
        self.is_chief = self.is_root
        self._master = self.is_root

    def sync_root(self, seed):
        if self.is_root:
            dist.broadcast(seed, 0)  # expect: TL101

    def sync_chief(self, seed):
        if self.is_chief:
            dist.broadcast(seed, 0)  # expect: TL101

    def sync_master(self, seed):
        if self._master:
            dist.broadcast(seed, 0)  # expect: TL101


def seed_everything(seed):
    if is_root_worker():
        dist.broadcast(seed, 0)  # expect: TL101


def seed_from_coordinator(seed):
    is_coordinator = dist.get_rank() == 0
    if is_coordinator:
        dist.broadcast(seed, 0)  # expect: TL101
