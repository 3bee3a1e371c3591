"""`# trainlint: uniform` says that a test or a value is the same on all ranks, whatever it looks like."""

import torch.distributed as dist

import cluster

LOCAL_RANK = cluster.level()  # trainlint: uniform


def on_a_test(tensor, rank):
    if rank == 0:  # trainlint: uniform
        dist.all_reduce(tensor)


def on_a_value(tensor):
    leads = dist.get_rank() == 0 and cluster.small()  # trainlint: uniform - the ranks of a group of one
    if leads:
        dist.all_reduce(tensor)


def on_an_exit(tensor, rank):
    if rank != 0:  # trainlint: uniform
        return
    dist.all_reduce(tensor)


def on_a_return(tensor):
    if _leads():
        dist.all_reduce(tensor)


def _leads():
    return dist.get_rank() == 0  # trainlint: uniform


class Worker:
    is_main_process = cluster.has_head()  # trainlint: uniform

    def __init__(self):
        self.rank = cluster.level()  # trainlint: uniform

    def by_an_attribute(self, tensor):
        if self.rank == 0:
            dist.all_reduce(tensor)

    def by_a_class_attribute(self, tensor):
        if self.is_main_process:
            dist.all_reduce(tensor)


def on_a_loop(tensor, rank, queue):
    while queue.any(rank) and rank == 0:  # trainlint: uniform
        dist.all_reduce(tensor)


def on_an_expression(tensor, rank):
    rank == 0 and dist.all_reduce(tensor)  # trainlint: uniform


def tested_twice(tensor):
    ready = cluster.ready()  # trainlint: uniform
    if not ready:
        return
    if ready:
        dist.all_reduce(tensor)


def get_rank():
    return cluster.level()  # trainlint: uniform


def by_a_name(tensor):
    if LOCAL_RANK == 0:
        dist.all_reduce(tensor)


def by_a_function_called_so(tensor):
    if get_rank() == 0:
        dist.all_reduce(tensor)
