"""Reentrant checkpoints of blocks that nobody wants gradients of."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader


class OfAFrozenFunctionInIt(nn.Module):
    def __init__(self):
        super().__init__()
        self.cold = nn.Conv2d(3, 8, 3)
        for weight in self.cold.parameters():
            weight.requires_grad = False

    def forward(self, images):
        def run(x):
            return F.relu(self.cold(x))

        return checkpoint(run, images, use_reentrant=True)


class OfAFrozenLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.frozen = nn.Conv2d(3, 8, 3)
        self.frozen.requires_grad_(False)

    def forward(self, images):
        return checkpoint(self.frozen, images, use_reentrant=True)


def train(dataset, criterion, head):
    first, second = OfAFrozenFunctionInIt(), OfAFrozenLayer()
    for x, y in DataLoader(dataset, batch_size=8):
        criterion(head(first(x) + second(x)), y).backward()
