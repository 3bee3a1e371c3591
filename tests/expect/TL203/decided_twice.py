"""Orders that are decided twice, through helpers, classes and dictionaries."""

import torch.distributed as dist
import webdataset
from torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler, WeightedRandomSampler
from torch.utils.data.distributed import DistributedSampler


class ByLength(Sampler):
    def __init__(self, lengths):
        self.lengths = lengths

    def __iter__(self):
        return iter(sorted(range(len(self.lengths)), key=self.lengths.__getitem__))


class Shards(IterableDataset):
    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):
        for path in self.paths:
            yield from open(path)


class Module:
    def __init__(self, data, weights):
        self.data = data
        self.weights = weights

    def make(self, dataset, shuffle, sampler=None):
        return DataLoader(dataset, batch_size=8, shuffle=shuffle, sampler=sampler)  # expect: TL203

    def training(self):
        return self.make(self.data, True, WeightedRandomSampler(self.weights, len(self.weights)))

    def validation(self):
        return self.make(self.data, False)


def by_length(dataset, lengths, batch_size=16):
    return DataLoader(dataset, batch_size=16, batch_sampler=ByLength(lengths), num_workers=2)  # expect: TL203


def options(dataset):
    options = {"shuffle": True, "pin_memory": True}
    if dist.is_initialized():
        sampler = DistributedSampler(dataset)
    else:
        sampler = None
    return DataLoader(dataset, sampler=sampler, **options)  # expect: TL203


def streams(paths, shards):
    first = DataLoader(Shards(paths), sampler=DistributedSampler(paths))  # expect: TL203
    second = DataLoader(webdataset.WebDataset(shards), 16, True)  # expect: TL203
    return first, second
