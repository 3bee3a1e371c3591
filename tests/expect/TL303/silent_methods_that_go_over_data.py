"""Methods that turn gradients off themselves, that go over steps and not over data, or that another model uses for something else."""

import torch
from torch import nn
from torch.utils.data import DataLoader


class Writer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, batch):
        return self.inner(batch)

    @torch.no_grad()
    def performance(self, loader):
        return sum(self(batch).mean().item() for batch in loader)

    def quality(self, loader):
        total = 0.0
        with torch.no_grad():
            for batch in loader:
                total += self(batch).mean().item()
        return total

    def write(self, start, steps):
        for _ in range(steps):
            start = self(start)
        return start

    def first(self, loader):
        return self(next(iter(loader)))


def held_out(data):
    model = Writer(8)
    model.train(False)
    loader = DataLoader(data, batch_size=8)
    return model.performance(loader), model.quality(loader), model.write(torch.zeros(1, 8), 3)


class MainLoop:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader

    def validate(self):
        self.model.train(False)
        return self.model.performance(self.loader), self.model.quality(self.loader)

    def describe(self):
        self.model.eval()
        return [self.model.describe(batch) for batch in self.loader]


class Plain:
    """Has a method of the name as well, and runs nothing."""

    def shape_of(self, batch):
        return batch.shape


class Shaped(nn.Module):
    def shape_of(self, batch):
        return batch.shape


def shapes(model, loader):
    model.eval()
    return [model.shape_of(batch) for batch in loader]
