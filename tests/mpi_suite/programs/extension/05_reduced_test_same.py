"""The test is about a value that was reduced, and both branches run the same."""

import torch
import torch.distributed as dist


def main():
    data, total = torch.tensor([42.0]), torch.tensor([13.0])
    sums = data.clone()
    dist.all_reduce(sums)
    if sums.item() == 21:
        dist.broadcast(data, src=0)
        dist.reduce(total, dst=0)
    else:
        dist.broadcast(data, src=0)
        dist.reduce(total, dst=0)
    dist.barrier()
    return data.item()
