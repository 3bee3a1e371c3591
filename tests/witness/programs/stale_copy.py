"""Workers of a loader that are told of a new epoch by an attribute of the dataset: those that persist and those that begin anew."""

import torch
from torch.utils.data import DataLoader, Dataset


class Epochs(Dataset):
    def __init__(self):
        self.epoch = 0

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.tensor(self.epoch)


class ThreeEpochs:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        for epoch in range(3):
            self.loader.dataset.epoch = epoch
            yield from self.loader


def persisting():
    return ThreeEpochs(DataLoader(Epochs(), batch_size=4, num_workers=1, persistent_workers=True))


def anew():
    return ThreeEpochs(DataLoader(Epochs(), batch_size=4, num_workers=1))
