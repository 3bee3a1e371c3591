"""Evaluations on one rank, or over samplers that a setting describes."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, SequentialSampler
from torch.utils.data.distributed import DistributedSampler


@torch.no_grad()
def evaluate(model, loader):
    total = torch.zeros(1)
    for images in loader:
        total += model(images)
    dist.all_reduce(total)
    return total


def main(model, data, args):
    evaluate(model, DataLoader(data, 8, sampler=SequentialSampler(data)))
    evaluate(model, DataLoader(data, 8, sampler=DistributedSampler(data, shuffle=False, drop_last=args.drop)))
