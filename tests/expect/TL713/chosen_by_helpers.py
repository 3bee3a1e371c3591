"""The function that drops is returned by a helper, or kept by the module."""

import torch.nn.functional as F
from torch import nn


def noise():
    return F.dropout


class Always(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return self.layer(noise()(x, 0.1))  # expect: TL713


class InTraining(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return self.layer(noise()(x, 0.1, training=self.training))


def fit(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
