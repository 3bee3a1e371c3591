"""A layer whose gradient is 1 in each step: with gradients that pile up, the tenth step is ten times too long."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.125)
    for _ in range(steps):
        loss = layer(torch.ones(1, 1)).mean()
        loss.backward()
        optimizer.step()  # expect: TL701
    return layer
