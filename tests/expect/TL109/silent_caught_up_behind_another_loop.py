"""A loop in which nobody meets stands before, or between, those that make each other good."""

import torch
import torch.distributed as dist


def before(items, step, device):
    part = items[dist.get_rank() :: dist.get_world_size()]
    most = torch.tensor(len(part), device=device)
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    for item in part:
        print(item)
    for item in part:
        dist.all_reduce(step(item))
    for _ in range(int(most.item()) - len(part)):
        dist.all_reduce(torch.zeros(1, device=device))


def between(items, step, device):
    part = items[dist.get_rank() :: dist.get_world_size()]
    most = torch.tensor(len(part), device=device)
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    for item in part:
        dist.all_reduce(step(item))
    for item in part:
        print(item)
    for _ in range(int(most.item()) - len(part)):
        dist.all_reduce(torch.zeros(1, device=device))
