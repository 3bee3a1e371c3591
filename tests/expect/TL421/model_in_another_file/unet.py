"""A network for masks, whose last layer is an attribute."""

import torch
from torch import nn


class UNet(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.down = nn.Conv2d(channels, 16, 3, padding=1)
        self.up = nn.ConvTranspose2d(16, 16, 3, padding=1)
        self.out = nn.Conv2d(16, 1, 1)
        self.activation = nn.Sigmoid()

    def forward(self, x):
        x = torch.relu(self.down(x))
        x = torch.relu(self.up(x))
        return self.activation(self.out(x))  # expect: TL421
