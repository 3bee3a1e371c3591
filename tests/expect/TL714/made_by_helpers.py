"""The layers are made by a function beside, which hands back a list, or a container that registers them."""

from torch import nn


def blocks(width, depth):
    return [nn.Linear(width, width) for _ in range(depth)]


def registered_blocks(width, depth):
    return nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])


class Lost(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.blocks = blocks(width, depth)  # expect: TL714

    def forward(self, x):
        for block in self.blocks:
            x = block(x).relu()
        return x


class Kept(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.blocks = registered_blocks(width, depth)

    def forward(self, x):
        for block in self.blocks:
            x = block(x).relu()
        return x


class InASequence(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.blocks = blocks(width, depth)
        self.layers = nn.Sequential(*self.blocks)

    def forward(self, x):
        return self.layers(x)


class InASequenceByName(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        made = blocks(width, depth)
        self.blocks = made
        self.layers = nn.Sequential(*made)

    def forward(self, x):
        return self.layers(x)
