"""All gather, and then those who do not report return."""

import torch
import torch.distributed as dist


def evaluate(rank, right):
    result = torch.tensor([right])
    everywhere = [torch.zeros_like(result) for _ in range(dist.get_world_size())]
    dist.all_gather(everywhere, result)
    if rank > 0:
        return None
    return sum(each.item() for each in everywhere)


def main():
    rank = dist.get_rank()
    print(evaluate(rank, 5 + rank))
    return dist.get_world_size()
