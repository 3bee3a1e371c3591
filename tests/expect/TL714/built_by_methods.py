"""Layers in lists that a method builds, under keys of scales, in a list of lists that grows by `extend`."""

import torch
from torch import nn


class Branches(nn.Module):
    """One branch for each resolution, made by a method."""

    def __init__(self, widths):
        super().__init__()
        self.branches = self._make_branches(widths)  # expect: TL714
        self.fuse = nn.Conv2d(sum(widths), widths[0], 1)

    def _make_branches(self, widths):
        branches = []
        for width in widths:
            branches.append(nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()))
        return branches

    def forward(self, maps):
        return self.fuse(torch.cat([branch(x) for branch, x in zip(self.branches, maps)], dim=1))


class Critics(nn.Module):
    """A critic for each period."""

    def __init__(self, periods):
        super().__init__()
        self.critics = {f"period{period}": nn.Conv2d(1, 32, (5, 1), (3, 1)) for period in periods}  # expect: TL714

    def forward(self, wave):
        return [critic(wave) for critic in self.critics.values()]


class Decoder(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.blocks = []  # expect: TL714
        for _ in range(depth):
            self.blocks.extend([nn.TransformerDecoderLayer(width, 8), nn.LayerNorm(width)])

    def forward(self, x, memory):
        for block, norm in zip(self.blocks[::2], self.blocks[1::2]):
            x = norm(block(x, memory))
        return x
