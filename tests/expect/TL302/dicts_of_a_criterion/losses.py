"""Criteria of several parts: the loss is computed of all values of the dict that stands beside it."""

import torch
from torch import nn


class Part:
    def __call__(self, guess, truth):
        return ((guess - truth) ** 2).mean()


class Pair:
    def __init__(self, settings):
        self.part = Part()
        self.rate = settings.rate

    def __call__(self, first, second, truth):
        parts = {"box": self.rate * self.part(first, truth), "class": self.part(second, truth)}
        whole = sum(list(parts.values())) / len(parts)
        return whole, parts


class Counted(Pair):
    def __call__(self, first, second, truth):
        whole = self.part(first, truth) + self.part(second, truth)
        return whole, {"first": whole.item(), "rate": self.rate, "truth": truth}


def criterion_for(settings):
    criterion = Pair(settings)
    return criterion


class Ranking(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.table = nn.Embedding(size, 8)

    def forward(self, users, items):
        return self.table(users), self.table(items)

    def compare(self, users, items):
        rank = -nn.LogSigmoid()((users * items).sum(1)).mean()
        size = torch.norm(users) ** 2 / len(users)
        return rank + size, rank, size
