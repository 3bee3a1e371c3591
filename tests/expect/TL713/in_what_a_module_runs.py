"""A function that drops, run by a module: told by nobody, told by its caller, or under a test that its caller decides."""

import torch
import torch.nn.functional as F
from torch import nn


def thinned(x):
    return F.dropout(x, 0.5)  # expect: TL713


def thinned_if(x, training):
    return F.dropout(x, 0.5) if training else x


def thinned_when_wanted(x, drop):
    if drop:
        x = F.dropout(x, 0.5)
    return x


def thinned_by(x, rate):
    return F.dropout(x, rate)


class Head(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.last = nn.Linear(width, classes)

    def forward(self, x, drop):
        x = thinned(x)
        x = thinned_if(x, self.training)
        x = thinned_when_wanted(x, self.training)
        x = thinned_when_wanted(x, drop)
        x = thinned_by(x, 0.5 if self.training else 0.0)
        return self.last(x)


class Tail(nn.Module):
    def __init__(self, width, classes, twice):
        super().__init__()
        self.twice = twice
        self.last = nn.Linear(width, classes)

    def forward(self, x):
        if self.twice:
            x = F.dropout(F.dropout(x))  # expect: TL713, TL713
        else:
            x = F.dropout(x)  # expect: TL713
        return self.last(x)


def masked(batch):
    return F.dropout(batch["image"], 0.1)


def fit(head, tail, loader):
    optimizer = torch.optim.SGD([*head.parameters(), *tail.parameters()], lr=0.1)
    for batch, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(head(tail(masked(batch)), True), y).backward()
        optimizer.step()
