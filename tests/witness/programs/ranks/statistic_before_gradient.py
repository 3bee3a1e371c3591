"""A statistic that one rank reduces meets the gradient of the others: they go on with a wrong number."""

import torch
import torch.distributed as dist


def main():
    norm = torch.tensor([100.0])
    gradient = torch.tensor([1.0])
    if dist.get_rank() == 0:
        dist.all_reduce(norm)  # expect: TL101
        print(norm.item())
    dist.all_reduce(gradient)  # stuck: 0
    return gradient.item()
