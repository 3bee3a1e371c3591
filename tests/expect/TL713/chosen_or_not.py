"""A test of what is fixed when the module is made, and tests of what may be another in each call."""

import torch.nn.functional as F
from torch import nn


class PreNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return F.dropout(F.relu(self.layer(x)), 0.5)  # expect: TL713


class Other(nn.Module):
    def __init__(self, use):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.use = use
        self.on = True

    def switch(self, on):
        self.on = on

    def forward(self, x, drop=True):
        if self.use:
            x = F.dropout(F.relu(self.layer(x)), 0.5)  # expect: TL713
        if drop:
            x = F.dropout(F.relu(self.layer(x)), 0.5)
        if self.on:
            x = F.dropout(F.relu(self.layer(x)), 0.5)
        return x


def fit(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
