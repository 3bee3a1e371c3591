"""A function that is handed the module sets the container, or fills it."""

from torch import nn


def add_layers(module, widths):
    module.layers = [nn.Linear(before, after) for before, after in zip(widths, widths[1:])]  # expect: TL714


def fill(module, width):
    module.heads.append(nn.Linear(width, 1))


def add_registered(module, widths):
    module.layers = nn.ModuleList([nn.Linear(before, after) for before, after in zip(widths, widths[1:])])


class Builder:
    def __init__(self):
        self.layers = []

    def build(self, module, width):
        self.layers.append(nn.Linear(width, width))
        module.first = self.layers[0]


class Mlp(nn.Module):
    def __init__(self, widths):
        super().__init__()
        add_layers(self, widths)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


class Heads(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.heads = []  # expect: TL714
        for _ in range(3):
            fill(self, width)

    def forward(self, x):
        return [head(x) for head in self.heads]


class Registered(nn.Module):
    def __init__(self, widths):
        super().__init__()
        add_registered(self, widths)
        Builder().build(self, widths[0])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return self.first(x)
