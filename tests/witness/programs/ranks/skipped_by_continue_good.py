"""The reduction stands above the way out."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    seen = []
    for step in range(3):
        loss = torch.tensor([float(step)])
        dist.all_reduce(loss)
        seen.append(loss.item())
        if rank != 0:
            continue
        print(seen)
    return seen
