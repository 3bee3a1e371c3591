"""What the scripts test."""

from torch import nn


class Tower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 10))

    def forward(self, x):
        return self.layers(x)


def built(device, width=64):
    return Tower(width).to(device)
