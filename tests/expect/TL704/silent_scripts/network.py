"""What the scripts test."""

from torch import nn


class Tower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 10))

    def forward(self, x):
        return self.layers(x)


class Plain(nn.Module):
    """Nothing in it knows of modes."""

    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width), nn.Dropout(0.0))

    def forward(self, x):
        return self.layers(x)
