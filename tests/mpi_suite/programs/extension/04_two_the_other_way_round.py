"""Two collectives in each branch, in another order."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    data, total = torch.zeros(1), torch.tensor([13.0])
    if rank == 0:
        data += 42
        dist.reduce(total, dst=0)  # wrong
        dist.broadcast(data, src=0)  # wrong
    else:
        dist.broadcast(data, src=0)  # wrong
        dist.reduce(total, dst=0)  # wrong
    dist.barrier()
