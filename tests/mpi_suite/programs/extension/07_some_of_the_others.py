"""The root broadcasts to odd ranks; even ranks other than the root do not receive."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    data = torch.zeros(1)
    if rank == 0:
        data += 42
        dist.broadcast(data, src=0)  # wrong
    else:
        if rank % 2 == 1:
            dist.broadcast(data, src=0)  # wrong
    dist.barrier()
