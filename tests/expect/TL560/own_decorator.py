"""Decorators of the project that compile, with options of their own."""

import torch
from torch import nn


def compiled(**options):
    def decorate(function):
        return torch.compile(function, **options)

    return decorate


def perhaps(function, wanted=True):
    return torch.compile(function) if wanted else function


def counted(function):
    def run(*args):
        print("called")
        return function(*args)

    return run


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    @compiled(dynamic=False)
    def forward(self, x):
        y = self.layer(x)
        if y.abs().max() > 10:  # expect: TL560
            y = y / 10
        return y

    @perhaps
    def scaled(self, x):
        return x / self.layer(x).norm().item()  # expect: TL560

    @compiled(fullgraph=True)
    def whole(self, x):
        return x / self.layer(x).norm().item()

    @counted
    def plain(self, x):
        return x / self.layer(x).norm().item()
