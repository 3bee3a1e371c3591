"""Groups of all ranks: made without ranks, of all of them, or used by every rank in the function, whoever is in them."""

import torch
import torch.distributed as dist


def without_ranks(tensor):
    group = dist.new_group()
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101


def with_a_backend(tensor):
    group = dist.new_group(backend="gloo")
    if dist.get_rank() == 0:
        dist.barrier(group=group)  # expect: TL101


def with_none(tensor):
    group = dist.new_group(ranks=None, backend="gloo")
    if dist.get_rank() == 0:
        dist.barrier(group)  # expect: TL101


class Trainer:
    def __init__(self):
        self.group = dist.new_group(backend="gloo")
        self.rank = dist.get_rank()

    def save(self):
        if self.rank == 0:
            dist.barrier(group=self.group)  # expect: TL101


def every_rank(tensor):
    group = dist.new_group(list(range(dist.get_world_size())))
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101


def used_by_all(tensor, group):
    dist.all_reduce(tensor, group=group)
    if dist.get_rank() == 0:
        dist.barrier(group=group)  # expect: TL101


def used_by_all_later(tensor, group):
    if dist.get_rank() == 0:
        dist.broadcast(tensor, 0, group=group)  # expect: TL101
    dist.barrier(group=group)


class Saver:
    def __init__(self, group):
        self.group = group

    def save(self, tensor):
        dist.barrier(group=self.group)
        if dist.get_rank() == 0:
            torch.save(tensor, "x.pt")
            dist.barrier(group=self.group)  # expect: TL101


_GROUP = None


def group_of_all():
    global _GROUP
    if _GROUP is None:
        _GROUP = dist.new_group(backend="gloo")
    return _GROUP


def gathered(data):
    group = group_of_all()
    if dist.get_rank() == 0:
        out = [None] * dist.get_world_size(group)
        dist.gather_object(data, out, dst=0, group=group)  # expect: TL101


def left(tensor, group):
    dist.barrier(group=group)
    if dist.get_rank() != 0:
        return
    dist.all_reduce(tensor, group=group)  # expect: TL102


def helped(tensor):
    group = dist.new_group()
    shared(tensor, group)


def shared(tensor, group):
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101
