"""All ranks ask first."""

import torch
import torch.distributed as dist


def anybody_failed(failed):
    flag = torch.tensor([int(failed)])
    dist.all_reduce(flag, op=dist.ReduceOp.MAX)
    return bool(flag.item())


def main():
    rank = dist.get_rank()
    failed = anybody_failed(rank == 1)
    if rank == 0 and failed:
        print("a rank failed")
    return failed
