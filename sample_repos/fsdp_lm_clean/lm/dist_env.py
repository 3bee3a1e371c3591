"""This process among the others: ranks from torchrun's environment, and small collectives."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist


class ProcessInfo:
    """Which process this is."""

    def __init__(self) -> None:
        self.global_rank = int(os.environ["RANK"])
        self.rank_on_node = int(os.environ["LOCAL_RANK"])
        self.ranks_per_node = int(os.environ["LOCAL_WORLD_SIZE"])
        self.world = int(os.environ["WORLD_SIZE"])
        self.is_main = self.global_rank == 0

    def device_of_process(self) -> torch.device:
        """The GPU of this process, or the CPU."""
        if torch.cuda.is_available():
            return torch.device("cuda", self.rank_on_node)
        return torch.device("cpu")


def open_group(info: ProcessInfo) -> torch.device:
    """Join the process group; returns the device of this process."""
    device = info.device_of_process()
    if device.type == "cuda":
        torch.cuda.set_device(device)
        dist.init_process_group("nccl", device_id=device)
    else:
        dist.init_process_group("gloo")
    return device


def rank_zero_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: only rank 0 runs the function; it returns None in the other processes."""

    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if int(os.environ.get("RANK", "0")) == 0:
            return function(*args, **kwargs)
        return None

    return guarded


def average_across_ranks(value: torch.Tensor) -> float:
    """Mean of a scalar over all processes."""
    mean = value.detach().clone()
    if dist.get_world_size() > 1:
        dist.all_reduce(mean)
        mean /= dist.get_world_size()
    return mean.item()


def smallest_across_ranks(number: int, device: torch.device) -> int:
    """Minimum of a number over all processes."""
    smallest = torch.tensor(number, dtype=torch.long, device=device)
    dist.all_reduce(smallest, op=dist.ReduceOp.MIN)
    return int(smallest.item())


def true_anywhere(flag: torch.Tensor) -> bool:
    """True in all processes when ``flag`` is true in one of them."""
    votes = flag.to(torch.int32)
    dist.all_reduce(votes, op=dist.ReduceOp.MAX)
    return bool(votes.item())


def as_rank_zero_says(item: Any) -> Any:
    """The ``item`` of rank 0, in every process."""
    box = [item if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(box, src=0)
    return box[0]


def from_all_ranks(item: Any) -> list[Any]:
    """The ``item`` of every process, in every process."""
    items: list[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(items, item)
    return items


def take_turns(info: ProcessInfo, work: Callable[[], Any]) -> Any:
    """Let the processes of a node do ``work`` one after the other; returns its result."""
    result = None
    for turn in range(info.ranks_per_node):
        if turn == info.rank_on_node:
            result = work()
        dist.barrier()
    return result
