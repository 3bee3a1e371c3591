"""Other names for the same functions."""

import functools

import torch
import torch.distributed as d
from torch.distributed import barrier as sync
from torch.distributed import get_rank as me

average = functools.partial(d.all_reduce, op=d.ReduceOp.AVG)
merge = d.all_gather_object


def renamed():
    if me() != 0:
        return
    sync()  # expect: TL102


def with_partial(grad):
    if d.get_rank() != 0:
        return
    average(grad)  # expect: TL102


def with_variable(parts, mine):
    if torch.distributed.get_rank() != 0:
        return
    merge(parts, mine)  # expect: TL102


def walrus(grad):
    if (rank := d.get_rank()) != 0:
        return rank
    d.all_reduce(grad)  # expect: TL102
    return 0
