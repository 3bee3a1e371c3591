"""What the samples are drawn from is out of sight."""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Plain(Dataset):
    def __init__(self, signals):
        self.signals = signals

    def __getitem__(self, index):
        return self.signals[index]


def unseen(worker_id):
    np.random.seed(worker_id)  # expect-likely: TL213


def undrawn(worker_id):
    np.random.seed(worker_id)


def loaders(dataset, signals):
    yield DataLoader(dataset, shuffle=True, num_workers=4, worker_init_fn=unseen)
    yield DataLoader(Plain(signals), shuffle=True, num_workers=4, worker_init_fn=undrawn)
