"""The same question asked twice, in two functions, in other words or the other way round, has one answer."""

from contextlib import contextmanager

import torch.distributed as dist


def answered_by_broadcast(options):
    ready = options.rank == 0 and options.cache.exists()
    if options.gpus > 1:
        holder = [ready]
        dist.broadcast_object_list(holder)
        ready = holder[0]
    if ready:
        return options.cache.load()
    return one_after_another(options.gpus, options.rank)


def one_after_another(gpus, rank):
    if gpus > 1 and rank != 0:
        dist.barrier()
    if gpus > 1 and rank == 0:
        dist.barrier()


def other_way_round(tensor, mode, rank):
    if mode != "shared" and rank != 0:
        return
    if mode == "shared":
        dist.all_reduce(tensor)


def negated(tensor, size, rank):
    if not size >= 8 and rank != 0:
        return
    if size >= 8:
        dist.all_reduce(tensor)


def leads(settings):
    if not settings.distributed():
        return True
    return dist.get_rank() == 0


@contextmanager
def leader_first(first):
    if not first:
        dist.barrier()
    yield
    if first:
        dist.barrier()


def in_turn(settings, build):
    with leader_first(leads(settings)):
        build()
