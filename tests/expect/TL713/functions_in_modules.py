"""Dropout functions in modules of different kinds: of convolutions, imported alone, in a base class, under a test of the rate only."""

import torch
from torch import nn
from torch.nn import functional
from torch.nn.functional import dropout, dropout2d


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3)
        self.rate = 0.2

    def forward(self, image):
        x = functional.relu(self.first(image))
        x = dropout2d(x, self.rate, inplace=True)  # expect: TL713
        if self.rate > 0:
            x = dropout(x, p=self.rate)  # expect: TL713
        return torch.nn.functional.dropout(x, self.rate, self.training)


class Base(nn.Module):
    def drop(module, x):
        return functional.dropout(x)  # expect: TL713


class Attention(Base):
    def forward(self, query, key, value):
        weights = torch.softmax(query @ key.transpose(-1, -2), -1)
        weights = functional.dropout(weights, p=0.1)  # expect: TL713
        return self.drop(weights @ value)


def fit(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        functional.cross_entropy(model(x), y).backward()
        optimizer.step()
