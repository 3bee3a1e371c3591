"""Collectives without the look of a call, or behind calls that the language makes."""

import torch
import torch.distributed as dist
from torch import nn


class SyncedMeter:
    def __init__(self):
        self.sum = torch.zeros(1)

    @property
    def average(self):
        dist.all_reduce(self.sum)
        return self.sum / dist.get_world_size()

    def compute(self):
        dist.all_reduce(self.sum)
        return self.sum

    def __len__(self):
        dist.barrier()
        return 1

    def __enter__(self):
        dist.barrier()
        return self

    def __exit__(self, *exc):
        return None


class PaddedSampler:
    def __iter__(self):
        dist.barrier()  # expect: TL101
        yield from range(8)


class GatherLoss(nn.Module):
    def forward(self, features):
        gathered = [torch.empty_like(features) for _ in range(dist.get_world_size())]
        dist.all_gather(gathered, features)
        return torch.cat(gathered).logsumexp(0).mean()


def metric(rank):
    meter = SyncedMeter()
    if rank == 0:
        print(meter.compute())  # expect: TL101


def property_read(rank):
    meter = SyncedMeter()
    if rank == 0:
        print(meter.average)  # expect-not-yet: TL101


def length(rank):
    meter = SyncedMeter()
    if rank == 0:
        print(len(meter))  # expect: TL101


def context(rank):
    if rank == 0:
        with SyncedMeter():  # expect: TL101
            print("inside")


def iteration(rank):
    sampler = PaddedSampler()
    if rank == 0:
        for index in sampler:
            print(index)


def module_call(rank, features):
    criterion = GatherLoss()
    if rank == 0:
        print(criterion(features))  # expect: TL101


class Learner:
    def __init__(self):
        self.criterion = GatherLoss()
        self.head = nn.Linear(8, 8)

    def kept_module(self, rank, features):
        if rank == 0:
            print(self.criterion(features))  # expect: TL101

    def other_module(self, rank, features):
        loss = self.criterion(features)
        if rank == 0:
            print(self.head(features), loss)
