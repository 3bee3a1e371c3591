"""How the number of workers is written, of an iterable dataset that each of them reads as a whole."""

import os

from torch.utils.data import DataLoader, IterableDataset


class One(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class NoWorker(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class Two(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class Cores(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class SomeCores(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class OneOfCores(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class AtLeastTwo(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class AtLeastOne(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class Either(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class PerhapsOne(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class Setting(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class Half(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


class Text(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


def one(path, args):
    return DataLoader(One(path), num_workers=1)


def none(path, args):
    return DataLoader(NoWorker(path), num_workers=0)


def two(path, args):
    return DataLoader(Two(path), num_workers=2)  # expect: TL208


def cores(path, args):
    return DataLoader(Cores(path), num_workers=os.cpu_count())  # expect: TL208


def some_cores(path, args):
    return DataLoader(SomeCores(path), num_workers=min(8, os.cpu_count()))  # expect: TL208


def one_of_cores(path, args):
    return DataLoader(OneOfCores(path), num_workers=min(1, os.cpu_count()))


def at_least_two(path, args):
    return DataLoader(AtLeastTwo(path), num_workers=max(2, args.workers))  # expect: TL208


def at_least_one(path, args):
    return DataLoader(AtLeastOne(path), num_workers=max(1, args.workers))


def either(path, args):
    return DataLoader(Either(path), num_workers=4 if args.fast else 2)  # expect: TL208


def perhaps_one(path, args):
    return DataLoader(PerhapsOne(path), num_workers=4 if args.fast else 1)


def setting(path, args):
    return DataLoader(Setting(path), num_workers=args.workers)


def half(path, args):
    return DataLoader(Half(path), num_workers=os.cpu_count() // 2)


def text(path, args):
    return DataLoader(Text(path), num_workers=int("4"))
