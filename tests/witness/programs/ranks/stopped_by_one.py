"""One rank decides that training is over and tells nobody."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    best, epochs = 1.0, 0
    for epoch in range(4):
        total = torch.tensor([1.0])
        if rank == 0 and epoch == 2:
            break
        dist.all_reduce(total)  # expect: TL102  # stuck: 1
        best, epochs = min(best, 1 / total.item()), epochs + 1
    return [best, epochs]
