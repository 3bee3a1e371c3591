"""Wrappers with a set_epoch of their own, which pass it on."""

from dataclasses import dataclass
from typing import Optional

from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


@dataclass
class Bundle:
    """A loader and the sampler it draws from."""

    loader: DataLoader
    sampler: Optional[DistributedSampler] = None

    def set_epoch(self, epoch):
        if self.sampler is not None:
            self.sampler.set_epoch(epoch)


class EndlessBatches:
    """Yields batches for ever; counts and announces its own epochs."""

    def __init__(self, loader):
        self.loader = loader
        self.rounds = 0

    def __iter__(self):
        while True:
            self.loader.sampler.set_epoch(self.rounds)
            yield from self.loader
            self.rounds += 1


def bundle(dataset):
    sampler = DistributedSampler(dataset)
    return Bundle(DataLoader(dataset, batch_size=8, sampler=sampler), sampler)


def endless(dataset):
    return EndlessBatches(DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset)))
