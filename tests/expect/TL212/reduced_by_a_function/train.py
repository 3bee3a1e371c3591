"""The ranks put their results together in a function that the evaluation calls."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def over_all_ranks(counts):
    dist.all_reduce(counts)
    return counts


def on_this_rank(counts):
    return counts.clone()


@torch.no_grad()
def evaluate(model, dataset):
    loader = DataLoader(dataset, batch_size=64, sampler=DistributedSampler(dataset, shuffle=False))  # expect: TL212
    right = torch.zeros(2)
    for images, labels in loader:
        right[0] += (model(images).argmax(1) == labels).sum()
        right[1] += labels.numel()
    return over_all_ranks(right)


@torch.no_grad()
def evaluate_here(model, dataset):
    loader = DataLoader(dataset, batch_size=64, sampler=DistributedSampler(dataset, shuffle=False))
    right = torch.zeros(2)
    for images, labels in loader:
        right[0] += (model(images).argmax(1) == labels).sum()
        right[1] += labels.numel()
    return on_this_rank(right)
