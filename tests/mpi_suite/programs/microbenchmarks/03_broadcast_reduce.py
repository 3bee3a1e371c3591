"""After a broadcast of all, even ranks reduce and broadcast, odd ranks broadcast and reduce, under two equal tests."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    number = torch.tensor([3.0 if rank == 0 else 0.0])
    total = torch.zeros(1)
    dist.broadcast(number, src=0)
    if rank % 2 == 0:
        total += number
        dist.reduce(total, dst=0)  # wrong
    else:
        dist.broadcast(number, src=0)  # wrong
    if rank == 0:
        number = total
    if rank % 2 == 0:
        dist.broadcast(number, src=0)  # wrong
    else:
        total += number
        dist.reduce(total, dst=0)  # wrong
    return number.item()
