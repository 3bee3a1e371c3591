"""Numbers that are drawn in the workers of a loader, for eight samples one by one."""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Own(Dataset):
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.tensor(int(self.rng.integers(1_000_000)))  # expect: TL213


class OfTheProcess(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.tensor(np.random.randint(1_000_000))


class TwoEpochs:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        yield from self.loader
        yield from self.loader


def own():
    return TwoEpochs(DataLoader(Own(), batch_size=1, num_workers=2))


def of_the_process():
    return TwoEpochs(DataLoader(OfTheProcess(), batch_size=1, num_workers=2))
