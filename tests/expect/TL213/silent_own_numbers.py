"""Generators that each worker makes for itself, and such as are drawn from before there are workers."""

import os
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class ByIndex(Dataset):
    def __init__(self, samples, seed):
        self.samples, self.seed = samples, seed

    def __getitem__(self, index):
        rng = np.random.default_rng(self.seed + index)
        return self.samples[index] + rng.normal()


class ByEpoch(Dataset):
    def __init__(self, samples):
        self.samples = samples
        self.epoch_rng = np.random.RandomState(0)

    def set_epoch(self, epoch):
        self.epoch_rng = np.random.RandomState(epoch)

    def __getitem__(self, index):
        return self.samples[index] + self.epoch_rng.normal()


class Asking(Dataset):
    def __init__(self, samples):
        self.samples = samples
        self.asking_rng = random.Random(0)
        self.begun = False

    def __getitem__(self, index):
        if not self.begun:
            self.asking_rng.seed(get_worker_info().seed)
            self.begun = True
        return self.samples[index] * self.asking_rng.random()


class ByProcess(Dataset):
    def __init__(self, samples):
        self.samples = samples
        self.of_process = {}

    def generator(self):
        return self.of_process.setdefault(os.getpid(), random.Random(os.getpid()))

    def __getitem__(self, index):
        return self.samples[index] * self.generator().random()


class Chosen(Dataset):
    def __init__(self, samples, generator):
        self.samples = samples
        self.chosen = torch.randperm(len(samples), generator=generator)

    def __getitem__(self, index):
        return self.samples[self.chosen[index]]


def loaders(samples):
    generator = torch.Generator().manual_seed(0)
    chosen = Chosen(samples, generator)
    return [
        DataLoader(ByIndex(samples, 0), num_workers=4),
        DataLoader(ByEpoch(samples), num_workers=4),
        DataLoader(Asking(samples), num_workers=4),
        DataLoader(ByProcess(samples), num_workers=4),
        DataLoader(chosen, num_workers=4, shuffle=True, generator=generator),
    ]
