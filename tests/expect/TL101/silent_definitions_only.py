"""Defining, storing or naming a collective under a guard does not run it."""

import functools
import os

import torch.distributed as dist

if int(os.environ.get("RANK", 0)) == 0:

    def wait():
        dist.barrier()

else:

    def wait():
        dist.barrier()


def choose(rank):
    if rank == 0:
        finish = dist.barrier
        later = functools.partial(dist.all_reduce, op=dist.ReduceOp.SUM)
        hooks = [lambda: dist.barrier(), later]
    else:
        finish = dist.barrier
        hooks = []
    finish()
    return hooks


def annotated(rank) -> "dist.barrier()":
    """dist.barrier() in a docstring."""
    if rank == 0:
        text = "dist.barrier()"
        print(text)
