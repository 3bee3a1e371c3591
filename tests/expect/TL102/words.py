"""The words of comments where some ranks leave before."""

import torch.distributed as dist

import cluster
import fastlink


def leaves(tensor):
    if cluster.done():  # trainlint: per-rank
        return
    dist.all_reduce(tensor)  # expect: TL102


def leaves_together(tensor, rank):
    if cluster.done(rank == 0):
        return
    dist.all_reduce(tensor)


def leaves_before_a_declared_call(tensor):
    if dist.get_rank() != 0:
        return
    fastlink.exchange(tensor)  # trainlint: collective  # expect: TL102


def all_leave(tensor):
    if dist.get_rank() != 0:  # trainlint: uniform
        return
    fastlink.exchange(tensor)  # trainlint: collective
