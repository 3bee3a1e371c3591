"""Generators that begin alike on all ranks."""

import random

import numpy as np
import torch
import torch.distributed as dist
from sklearn.model_selection import train_test_split
from torch.utils.data import DistributedSampler, random_split


def by_epoch(files, epoch):
    random.Random(epoch).shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def as_the_sampler_does(count, seed, epoch):
    mixer = torch.Generator()
    mixer.manual_seed(seed + epoch)
    return torch.randperm(count, generator=mixer).tolist()[dist.get_rank() :: dist.get_world_size()]


def torch_begins_alike(count):
    return torch.randperm(count, generator=torch.Generator())[dist.get_rank() :: dist.get_world_size()]


def numbered(files):
    mixer = np.random.default_rng(7)
    return mixer.permutation(files)[dist.get_rank() :: dist.get_world_size()]


def parts(data, rows):
    known, _ = random_split(data, [0.9, 0.1], generator=torch.Generator().manual_seed(42))
    some, _ = train_test_split(rows, test_size=0.1, random_state=0)
    return DistributedSampler(known), DistributedSampler(some)


def sampler(data, args):
    return DistributedSampler(data, num_replicas=dist.get_world_size(), rank=dist.get_rank(), seed=args.seed)


def order_is_fixed(data):
    """The seed of a sampler that does not shuffle is never used."""
    return DistributedSampler(data, shuffle=False, seed=dist.get_rank())


def given(files, mixer):
    mixer.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]
