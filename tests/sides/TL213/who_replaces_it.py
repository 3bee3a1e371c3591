"""Generators that a dataset keeps: which are made outside of the workers, and stay what they are."""

import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info

shared = np.random.default_rng(3)
renewed = np.random.default_rng(3)


def renew():
    global renewed
    renewed = np.random.default_rng(5)


class Kept(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.kept_rng = np.random.default_rng(0)

    def __getitem__(self, index):
        return self.signals[index] + self.kept_rng.normal()  # expect: TL213


class Integers(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.integer_rng = np.random.default_rng(0)

    def __getitem__(self, index):
        return self.signals[index] + self.integer_rng.integers(0, 3)  # expect: TL213


class Twice(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.twice_rng = random.Random(0)

    def __getitem__(self, index):
        scale = self.twice_rng.random()  # expect: TL213
        return self.signals[index] * scale + self.twice_rng.gauss(0, 1)


class OfTorch(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.torch_rng = torch.Generator()

    def __getitem__(self, index):
        return self.signals[index] + torch.rand(3, generator=self.torch_rng)  # expect: TL213


class OfTheFile(Dataset):
    def __init__(self, signals):
        self.signals = signals

    def __getitem__(self, index):
        return self.signals[index] + shared.normal()  # expect: TL213


class OfTheFileRenewed(Dataset):
    def __init__(self, signals):
        self.signals = signals

    def __getitem__(self, index):
        return self.signals[index] + renewed.normal()


class Replaced(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.replaced_rng = np.random.default_rng(0)

    def set_epoch(self, epoch):
        self.replaced_rng = np.random.default_rng(epoch)

    def __getitem__(self, index):
        return self.signals[index] + self.replaced_rng.normal()


class Dropped(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.dropped_rng = np.random.default_rng(0)

    def close(self):
        self.dropped_rng = None

    def __getitem__(self, index):
        return self.signals[index] + self.dropped_rng.normal()  # expect: TL213


class Seeded(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.seeded_rng = random.Random(0)

    def __getitem__(self, index):
        self.seeded_rng.seed(index)
        return self.signals[index] + self.seeded_rng.random()


class SeededElsewhere(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.elsewhere_rng = random.Random(0)

    def __getitem__(self, index):
        return self.signals[index] + self.elsewhere_rng.random()


def seed(dataset, number):
    dataset.elsewhere_rng.seed(number)


class MadeHere(Dataset):
    def __init__(self, signals):
        self.signals = signals

    def __getitem__(self, index):
        here = np.random.default_rng(index)
        return self.signals[index] + here.normal()


class Either(Dataset):
    def __init__(self, signals, fixed):
        self.signals = signals
        self.either_rng = np.random.default_rng(0) if fixed else np.random

    def __getitem__(self, index):
        return self.signals[index] + self.either_rng.normal()


class Asks(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.asking_rng = np.random.default_rng(0)

    def __getitem__(self, index):
        skipped = get_worker_info().id
        return self.signals[index] + self.asking_rng.normal(size=skipped + 1)[-1]


class Handed(Dataset):
    def __init__(self, signals, handed):
        self.signals = signals
        self.handed_rng = handed

    def __getitem__(self, index):
        return self.signals[index] + self.handed_rng.normal()  # expect: TL213


class HandedUnknown(Dataset):
    def __init__(self, signals, handed):
        self.signals = signals
        self.unknown_rng = handed

    def __getitem__(self, index):
        return self.signals[index] + self.unknown_rng.normal()


class OneWorker(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.single_rng = np.random.default_rng(0)

    def __getitem__(self, index):
        return self.signals[index] + self.single_rng.normal()


class NoWorker(OneWorker):
    def __getitem__(self, index):
        return self.signals[index] - self.single_rng.normal()


def make(signals, fixed, begin, other):
    yield DataLoader(Kept(signals), num_workers=2)
    yield DataLoader(Integers(signals), num_workers=2)
    yield DataLoader(Twice(signals), num_workers=2)
    yield DataLoader(OfTorch(signals), num_workers=2)
    yield DataLoader(OfTheFile(signals), num_workers=2)
    yield DataLoader(OfTheFileRenewed(signals), num_workers=2)
    yield DataLoader(Replaced(signals), num_workers=2)
    yield DataLoader(Dropped(signals), num_workers=2)
    yield DataLoader(Seeded(signals), num_workers=2)
    yield DataLoader(SeededElsewhere(signals), num_workers=2)
    yield DataLoader(MadeHere(signals), num_workers=2)
    yield DataLoader(Either(signals, fixed), num_workers=2)
    yield DataLoader(Asks(signals), num_workers=2)
    yield DataLoader(Handed(signals, np.random.default_rng(1)), num_workers=2)
    yield DataLoader(HandedUnknown(signals, other), num_workers=2)
    yield DataLoader(OneWorker(signals), num_workers=1, persistent_workers=True)
    yield DataLoader(NoWorker(signals), num_workers=0)
    yield DataLoader(NoWorker(signals), num_workers=2, worker_init_fn=begin)
