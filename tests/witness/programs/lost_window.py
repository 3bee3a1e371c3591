"""Four gradients of 1/4 make a step, but three of them are emptied before."""

import torch
from torch import nn


def train(steps, window=4):
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.125)
    for number in range(steps * window):
        optimizer.zero_grad()  # expect: TL702
        loss = layer(torch.ones(1, 1)).mean() / window
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
    return layer
