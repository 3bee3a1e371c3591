"""Closures, lambdas and functools.partial: the guard and the collective need not stand in one body."""

import functools

import torch.distributed as dist


def closure_holds_the_collective(rank, stats):
    def reduce_all():
        for value in stats.values():
            dist.all_reduce(value)  # expect: TL101

    if rank == 0:
        reduce_all()
        print(stats)


def closure_holds_the_guard(stats):
    is_logger = dist.get_rank() == 0

    def flush():
        if is_logger:
            dist.all_reduce(stats)  # expect: TL101

    flush()


def through_a_lambda(rank, stats):
    sync = lambda: dist.all_reduce(stats)  # noqa: E731
    if rank == 0:
        sync()  # expect: TL101


def through_partial(rank, stats):
    average = functools.partial(dist.all_reduce, op=dist.ReduceOp.AVG)
    if rank == 0:
        average(stats)  # expect: TL101


def module_level_partial(rank, stats):
    if rank == 0:
        maximum(stats)  # expect: TL101


maximum = functools.partial(dist.all_reduce, op=dist.ReduceOp.MAX)
