"""The root broadcasts, the others receive if a reduced value is 21, which the root does not ask."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    data, sums = torch.zeros(1), torch.tensor([8.0])
    dist.all_reduce(sums)
    if rank == 0:
        data += 42
        dist.broadcast(data, src=0)  # wrong
    else:
        if sums.item() == 21:
            dist.broadcast(data, src=0)  # wrong
    dist.barrier()
