"""The right side of an ``and`` asks all ranks, the left side lets one through."""

import torch
import torch.distributed as dist


def anybody_failed(failed):
    flag = torch.tensor([int(failed)])
    dist.all_reduce(flag, op=dist.ReduceOp.MAX)  # stuck: 0
    return bool(flag.item())


def main():
    rank = dist.get_rank()
    if rank == 0 and anybody_failed(rank == 1):  # expect: TL101
        print("a rank failed")
    return dist.get_world_size()
