"""Datasets that ask for their worker, or are told: OpenNMT-py, wenet (tools), timm (readers), TinyLlama (PackedDataset)."""

import itertools
import math

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Strided(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        info = get_worker_info()
        with open(self.path) as lines:
            if info is None:
                yield from lines
            else:
                yield from itertools.islice(lines, info.id, None, info.num_workers)


class Blocks(IterableDataset):
    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        start, end = self.start, self.end
        if info is not None:
            each = int(math.ceil((end - start) / info.num_workers))
            start += info.id * each
            end = min(start + each, end)
        return iter(range(start, end))


class ByHelper(IterableDataset):
    def __init__(self, files):
        self.files = files

    def mine(self):
        return take_part(self.files)

    def __iter__(self):
        for path in self.mine():
            yield from open(path)


def take_part(files):
    info = get_worker_info()
    return files if info is None else files[info.id :: info.num_workers]


class Offset(IterableDataset):
    """The offset is set in each copy when its worker begins."""

    def __init__(self, paths, stride=1, offset=0):
        self.paths, self.stride, self.offset = paths, stride, offset

    def __iter__(self):
        for index, path in enumerate(self.paths):
            if index % self.stride == self.offset:
                yield from open(path)


def begin(number):
    info = get_worker_info()
    info.dataset.offset = number
    info.dataset.stride = info.num_workers


def loaders(path, files):
    return [
        DataLoader(Strided(path), num_workers=4),
        DataLoader(Blocks(0, 100), num_workers=4),
        DataLoader(ByHelper(files), num_workers=4),
        DataLoader(Offset(files), num_workers=4, worker_init_fn=begin),
        DataLoader(Offset(files, 4, 1), num_workers=4),
    ]
