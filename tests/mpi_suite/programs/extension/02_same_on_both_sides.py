"""Root and others broadcast, each in its own branch."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    data = torch.zeros(1)
    if rank == 0:
        data += 42
        dist.broadcast(data, src=0)
    else:
        dist.broadcast(data, src=0)
    dist.barrier()
    return data.item()
