"""Where in an `if` the collective stands: only in `else`, in `elif`, in a conjunction, nested."""

import torch.distributed as dist


def else_only(rank, buffer):
    if rank == 0:
        buffer.zero_()
    else:
        dist.broadcast(buffer, src=0)  # expect: TL101


def elif_arm(rank, buffer, debug):
    if debug:
        return buffer.sum()
    elif rank == 0:
        dist.all_reduce(buffer)  # expect: TL101
    return buffer


def second_arm(rank, buffer):
    if rank == 0:
        buffer.zero_()
    elif rank == 1:
        dist.all_reduce(buffer)  # expect: TL101
    else:
        buffer.fill_(1)


def conjunction(rank, step, buffer, log_every=50):
    if step % log_every == 0 and rank == 0 and buffer is not None:
        dist.all_reduce(buffer)  # expect: TL101


def uniform_around(rank, step, buffer, log_every=50):
    if step % log_every == 0:
        if rank == 0:
            dist.all_reduce(buffer)  # expect: TL101


def uniform_inside(rank, step, buffer, log_every=50):
    if rank == 0:
        if step % log_every == 0:
            dist.all_reduce(buffer)  # expect: TL101


def two_levels(rank, verbose, buffer):
    if rank == 0:
        if verbose:
            print("reducing")
        for part in buffer.chunk(4):
            dist.all_reduce(part)  # expect: TL101


def one_finding_for_one_guard(rank, first, second):
    if rank == 0:
        dist.all_reduce(first)  # expect: TL101
        dist.all_reduce(second)
        dist.barrier()
