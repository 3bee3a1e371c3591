"""One rank decides, and all hear of it."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    best, epochs = 1.0, 0
    for epoch in range(4):
        total = torch.tensor([1.0])
        stop = [rank == 0 and epoch == 2]
        dist.broadcast_object_list(stop, src=0)
        if stop[0]:
            break
        dist.all_reduce(total)
        best, epochs = min(best, 1 / total.item()), epochs + 1
    return [best, epochs]
