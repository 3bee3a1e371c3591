"""`get_rank()` compared in the test itself, in its usual disguises."""

import torch
import torch.distributed as dist
from torch.distributed import get_rank


def announce(count):
    if dist.get_rank() == 0:
        dist.all_reduce(count)  # expect: TL101


def fully_spelled(count):
    if torch.distributed.get_rank() == 0:
        torch.distributed.all_reduce(count)  # expect: TL101


def imported(count):
    if get_rank() == 0:
        dist.all_reduce(count)  # expect: TL101


def only_when_initialized(count):
    if dist.is_initialized() and dist.get_rank() == 0:
        dist.all_reduce(count)  # expect: TL101


def or_not_initialized(count):
    if not dist.is_initialized() or dist.get_rank() == 0:
        print("reducing")
        dist.barrier()  # expect: TL101
    return count
