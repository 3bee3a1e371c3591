"""Orders that are decided once, or nobody can say."""

import torch.distributed as dist
from torch.utils.data import BatchSampler, DataLoader, Dataset, IterableDataset, RandomSampler
from torch.utils.data.distributed import DistributedSampler
from torchdata.datapipes.iter import IterableWrapper


class Shards(IterableDataset):
    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):
        for path in self.paths:
            yield from open(path)


class Lines(Dataset):
    def __init__(self, path):
        self.lines = open(path).readlines()

    def __iter__(self):
        return iter(self.lines)

    def __getitem__(self, index):
        return self.lines[index]

    def __len__(self):
        return len(self.lines)


def streams(paths):
    return DataLoader(Shards(paths), batch_size=8, shuffle=False), DataLoader(Shards(paths), batch_size=8, shuffle=None)


def either(path, streaming):
    dataset = Shards([path]) if streaming else Lines(path)
    return DataLoader(dataset, batch_size=8, shuffle=not streaming)


def lines(path):
    return DataLoader(Lines(path), batch_size=8, shuffle=True)


def pipe(paths):
    return DataLoader(IterableWrapper(paths).shuffle(), batch_size=8, shuffle=True)


def shuffled_by_default(dataset, shuffle=True):
    sampler = None
    if dist.is_initialized():
        sampler = DistributedSampler(dataset, shuffle=shuffle)
        shuffle = False
    return DataLoader(dataset, batch_size=8, shuffle=shuffle, sampler=sampler)


def batches(dataset, size):
    return DataLoader(dataset, batch_sampler=BatchSampler(RandomSampler(dataset), size, drop_last=False))


def as_the_caller_says(dataset, sampler=None, shuffle=True):
    if sampler is not None:
        shuffle = False
    return DataLoader(dataset, sampler=sampler, shuffle=shuffle)


def several(dataset):
    return as_the_caller_says(dataset, DistributedSampler(dataset)), as_the_caller_says(dataset)
