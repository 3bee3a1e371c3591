"""Layers in containers of many shapes."""

import lightning.pytorch as pl
import torch
import torch.nn as nn
from torch.nn import Parameter


class Stage(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, x):
        return self.conv(x)


class Stages(nn.Module):
    """Pairs in a list, by index."""

    def __init__(self, width, depth):
        super(Stages, self).__init__()
        stages = []
        for _ in range(depth):
            stages.append([Stage(width), nn.BatchNorm2d(width)])
        self.stages = stages  # expect: TL714

    def forward(self, x):
        for stage, norm in self.stages:
            x = norm(stage(x))
        return x


class Towers(pl.LightningModule):
    def __init__(self, names, width):
        super().__init__()
        self.towers = {name: nn.Linear(width, width) for name in names}  # expect: TL714
        self.shared = (nn.Linear(width, width), nn.Linear(width, 1))  # expect: TL714

    def training_step(self, batch, index):
        return sum(self.shared[1](self.shared[0](self.towers[name](x))).mean() for name, x in batch.items())


class Embeddings(nn.Module):
    def __init__(self, sizes, width):
        super().__init__()
        self.embeddings = []  # expect: TL714
        self.biases = {}  # expect: TL714
        for name, size in sizes.items():
            self.embeddings.append(nn.Embedding(size, width))
            self.biases[name] = Parameter(torch.zeros(width))

    def forward(self, ids):
        return sum(table(column) for table, column in zip(self.embeddings, ids.unbind(-1)))


class Repeated(Stage):
    """The same layer several times is one layer, and no less forgotten."""

    def __init__(self, width, times):
        super().__init__(width)
        self.again = [nn.Conv2d(width, width, 1)] * times  # expect: TL714


class Grown(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.blocks = list()
        self.scales = [nn.Parameter(torch.ones(1)), nn.Parameter(torch.ones(1))]  # expect: TL714

    def grow(self):
        self.blocks.append(nn.Conv2d(self.width, self.width, 3))
