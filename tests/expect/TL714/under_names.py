"""Layers under names that are put together, and in a list that grows by several at a time."""

from torch import nn


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
