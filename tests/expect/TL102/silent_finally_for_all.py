"""A `finally` is passed by those who leave, too."""

import contextlib

import torch.distributed as dist


def return_through_finally(rank, work):
    try:
        if rank != 0:
            return None
        return work()
    finally:
        dist.barrier()


def continue_through_finally(rank, items, work):
    for item in items:
        try:
            if rank != 0:
                continue
            work(item)
        finally:
            dist.barrier()


@contextlib.contextmanager
def barrier_afterwards():
    try:
        yield
    finally:
        dist.barrier()


def return_through_with(rank, work):
    with barrier_afterwards():
        if rank != 0:
            return None
        return work()


def raised_and_caught(rank, work):
    try:
        if rank != 0:
            raise StopIteration
        work()
    except StopIteration:
        print("follower")
    dist.barrier()
