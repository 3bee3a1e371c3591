"""The options are the fields of a dataclass, and what a caller adds."""

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class DropSpec:
    p: float = 0.1
    inplace: bool = False


class Residual(nn.Module):
    def __init__(self, inner: nn.Module, drop: DropSpec):
        super().__init__()
        self.inner = inner
        self.drop = drop

    def regularize(self, x, **overrides):
        options = {**asdict(self.drop), **overrides}
        return F.dropout(x, **options)  # expect: TL713

    def forward(self, x):
        return x + self.regularize(self.inner(x))


class Encoder(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.blocks = nn.ModuleList(Residual(nn.Linear(dim, dim), DropSpec(0.2)) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def train(loader):
    model = Encoder(64, 4)
    optimizer = torch.optim.Adam(model.parameters())
    for x in loader:
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
