"""Iterable datasets with several workers: what each copy reads, and what may tell the copies apart."""

import csv
import itertools
import os
import random

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class File(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as lines:
            for line in lines:
                yield line.split()


class WholeFile(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        yield from open(self.path)


class Returned(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        return iter(open(self.path))


class Table(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for row in csv.reader(open(self.path)):
            yield row


class OwnList(IterableDataset):
    def __init__(self, samples: list):
        self.samples = samples

    def __iter__(self):
        for sample in self.samples:
            yield sample


class OwnUnknown(IterableDataset):
    def __init__(self, samples):
        self.samples = samples

    def __iter__(self):
        for sample in self.samples:
            yield sample


class OwnIterator(IterableDataset):
    def __init__(self, samples: torch.Tensor):
        self.samples = samples

    def __iter__(self):
        for sample in self.samples:
            yield sample


class Display(IterableDataset):
    def __iter__(self):
        for name in ["a.txt", "b.txt"]:
            yield name


class Filled(IterableDataset):
    def __init__(self, folder):
        self.names = []
        for name in os.listdir(folder):
            self.names.append(name)

    def __iter__(self):
        for name in self.names:
            yield name


class Empty(IterableDataset):
    def __init__(self):
        self.names = []

    def __iter__(self):
        for name in self.names:
            yield name


class Counted(IterableDataset):
    def __init__(self, samples):
        self.samples = samples

    def __iter__(self):
        for index in range(len(self.samples)):
            yield self.samples[index]


class CountedByShape(IterableDataset):
    def __init__(self, samples):
        self.samples = samples

    def __iter__(self):
        for index in range(self.samples.shape[0]):
            yield self.samples[index]


class Numbers(IterableDataset):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        for number in range(self.count):
            yield number


class Indexed(IterableDataset):
    def __init__(self, samples, count):
        self.samples, self.count = samples, count

    def __iter__(self):
        for number in range(self.count):
            yield self.samples[number]


class Repeated(IterableDataset):
    def __init__(self, make, count):
        self.make, self.count = make, count

    def __iter__(self):
        for _ in range(self.count):
            yield self.make()


class Mapped(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        return map(str.split, open(self.path))


class Zipped(IterableDataset):
    def __init__(self, left, right):
        self.left, self.right = left, right

    def __iter__(self):
        for pair in zip(open(self.left), open(self.right)):
            yield pair


class Enumerated(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for number, line in enumerate(open(self.path)):
            yield number, line


class Cut(IterableDataset):
    def __init__(self, path, first, last):
        self.path, self.first, self.last = path, first, last

    def __iter__(self):
        return itertools.islice(open(self.path), self.first, self.last)


class Beginning(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        return itertools.islice(open(self.path), 1000)


class Comprehension(IterableDataset):
    def __init__(self, folder):
        self.folder = folder

    def __iter__(self):
        for name in [each for each in os.listdir(self.folder) if each.endswith(".txt")]:
            yield name


class Pairs(Dataset):
    def __init__(self, pairs):
        self.pairs = pairs

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, index):
        return self.pairs[index]


class AroundPairs(IterableDataset):
    def __init__(self, pairs):
        self.inner = Pairs(pairs)

    def __iter__(self):
        for pair in self.inner:
            yield pair


class Nested(IterableDataset):
    def __init__(self, paths: list):
        self.paths = paths

    def __iter__(self):
        for path in self.paths:
            for line in open(path):
                yield line


class Asks(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        info = get_worker_info()
        for number, line in enumerate(open(self.path)):
            if number % info.num_workers == info.id:
                yield line


class TakesTurns(IterableDataset):
    def __init__(self, path, own, count):
        self.path, self.own, self.count = path, own, count

    def __iter__(self):
        for number, line in enumerate(open(self.path)):
            if number % self.count == self.own:
                yield line


class EverySecond(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for number, line in enumerate(open(self.path)):
            if number % 2 == 0:
                yield line


class Longest(IterableDataset):
    def __init__(self, path, limit):
        self.path, self.limit = path, limit

    def __iter__(self):
        for line in open(self.path):
            if len(line) - self.limit > 0:
                yield line


class Drawn(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            if random.random() < 0.5:
                yield line


class FromQueue(IterableDataset):
    def __init__(self, queue, names: list):
        self.queue, self.names = queue, names

    def __iter__(self):
        for name in self.names:
            yield name, self.queue.get_nowait()


class SetElsewhere(IterableDataset):
    def __init__(self, path):
        self.path = path
        self.rank = 0

    def begin(self, rank):
        self.rank = rank

    def __iter__(self):
        for line in open(self.path):
            yield line


class TurnsElsewhere(IterableDataset):
    def __init__(self, path):
        self.path, self.first, self.several = path, 0, 1

    def begin(self, first, several):
        self.first, self.several = first, several

    def mine(self, number):
        return number % self.several == self.first

    def __iter__(self):
        for number, line in enumerate(open(self.path)):
            if self.mine(number):
                yield line


class NoIterator(IterableDataset):
    def __init__(self, path):
        self.path = path


class Gathers(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        found = []
        for line in open(self.path):
            found.append(line)
        return iter(found)


def make(folder, samples, queue, pairs, make_one):
    several = {"num_workers": 4, "batch_size": 8}
    yield DataLoader(File(folder), **several)  # expect: TL208
    yield DataLoader(WholeFile(folder), **several)  # expect: TL208
    yield DataLoader(Returned(folder), **several)  # expect: TL208
    yield DataLoader(Table(folder), **several)  # expect: TL208
    yield DataLoader(OwnList(samples), **several)  # expect: TL208
    yield DataLoader(OwnUnknown(samples), **several)
    yield DataLoader(OwnIterator(samples), **several)
    yield DataLoader(Display(), **several)  # expect: TL208
    yield DataLoader(Filled(folder), **several)  # expect: TL208
    yield DataLoader(Empty(), **several)
    yield DataLoader(Counted(samples), **several)  # expect: TL208
    yield DataLoader(CountedByShape(samples), **several)  # expect: TL208
    yield DataLoader(Numbers(8), **several)  # expect: TL208
    yield DataLoader(Indexed(samples, 8), **several)  # expect: TL208
    yield DataLoader(Repeated(make_one, 8), **several)
    yield DataLoader(Mapped(folder), **several)  # expect: TL208
    yield DataLoader(Zipped(folder, folder), **several)  # expect: TL208
    yield DataLoader(Enumerated(folder), **several)  # expect: TL208
    yield DataLoader(Cut(folder, 3, 9), **several)
    yield DataLoader(Beginning(folder), **several)  # expect: TL208
    yield DataLoader(Comprehension(folder), **several)  # expect: TL208
    yield DataLoader(AroundPairs(pairs), **several)  # expect: TL208
    yield DataLoader(Nested(samples), **several)  # expect: TL208
    yield DataLoader(Asks(folder), **several)
    yield DataLoader(TakesTurns(folder, 0, 4), **several)
    yield DataLoader(EverySecond(folder), **several)  # expect: TL208
    yield DataLoader(Longest(folder, 80), **several)  # expect: TL208
    yield DataLoader(Drawn(folder), **several)
    yield DataLoader(FromQueue(queue, samples), **several)
    yield DataLoader(SetElsewhere(folder), **several)  # expect: TL208
    yield DataLoader(TurnsElsewhere(folder), **several)
    yield DataLoader(NoIterator(folder), **several)
    yield DataLoader(Gathers(folder), **several)  # expect: TL208
