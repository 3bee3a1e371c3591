"""A model whose head is nested in others."""

from collections import OrderedDict

import torch.nn as nn


class Head(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.layers = nn.Sequential(
            OrderedDict(
                [
                    ("norm", nn.LayerNorm(width)),
                    ("out", nn.Linear(width, classes)),
                    ("prob", nn.Softmax(dim=-1)),  # expect: TL410
                ]
            )
        )

    def forward(self, features):
        return self.layers(features)


class Model(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.trunk = nn.Linear(3, width)
        self.head = Head(width, classes)

    def forward(self, points):
        return self.head(self.trunk(points)).squeeze(1)


class Flat(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.out = nn.Linear(3, classes)

    def forward(self, points):
        return nn.functional.softmax(self.out(points), dim=1)  # expect: TL410
