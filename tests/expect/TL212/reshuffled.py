"""Samplers that pad whatever the order is."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


@torch.no_grad()
def evaluate(model, loader):
    total = torch.zeros(1)
    for images in loader:
        total += model(images)
    dist.all_reduce(total)
    return total


def main(model, data, args, world_size, rank):
    evaluate(model, DataLoader(data, 8, sampler=DistributedSampler(data, shuffle=args.shuffle)))  # expect: TL212
    sampler = DistributedSampler(data, num_replicas=world_size, rank=rank, drop_last=True)
    loader = DataLoader(data, batch_size=8, sampler=sampler, num_workers=2)  # expect: TL212
    evaluate(model, loader)
