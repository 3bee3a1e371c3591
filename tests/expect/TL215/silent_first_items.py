"""Each rank draws some of its own samples at random, as many as it is to give: no list is split among them."""

import random

import torch
import torch.distributed as dist
from torch.utils.data import Subset


def draw_some(samples):
    order = torch.randperm(len(samples))
    return samples[order[: 3 + dist.get_rank()]]


def draw_as_many_as_are_mine(samples, counts):
    order = torch.randperm(len(samples))[: counts[dist.get_rank()]]
    return Subset(samples, order)


def first_files(files):
    random.shuffle(files)
    return files[: 3 + dist.get_rank()]
