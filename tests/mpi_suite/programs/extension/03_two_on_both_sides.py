"""Two collectives in each branch, in the same order."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    data, total = torch.zeros(1), torch.tensor([13.0])
    if rank == 0:
        data += 42
        dist.broadcast(data, src=0)
        dist.reduce(total, dst=0)
    else:
        dist.broadcast(data, src=0)
        dist.reduce(total, dst=0)
    dist.barrier()
    return data.item()
