"""The seed among the options was made another one on each rank, before the options were handed on."""

import os

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def feed(data, options):
    order = DistributedSampler(data, seed=options.seed, drop_last=True)  # expect: TL215
    return DataLoader(data, sampler=order)


def main(options, data):
    dist.init_process_group("nccl")
    options.seed += dist.get_rank()
    torch.manual_seed(options.seed)
    return feed(data, options)


def numbered(options, data, seeds):
    local = int(os.environ["LOCAL_RANK"])
    options.luck = seeds[local]
    print(options)
    return by_luck(data, options)


def by_luck(data, options):
    return DistributedSampler(data, seed=options.luck)  # expect: TL215


def shared(options, data):
    options.order = options.seed
    options.luck = options.seed + dist.get_rank()
    return alike(data, options)


def alike(data, options):
    return DistributedSampler(data, seed=options.order)
