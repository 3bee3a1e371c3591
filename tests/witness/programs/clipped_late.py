"""Gradients of 4, to be clipped to 2, are clipped when the step has been made."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.125)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = 4 * layer(torch.ones(1, 1)).mean()
        loss.backward()
        optimizer.step()
        nn.utils.clip_grad_norm_(layer.parameters(), 2.0)  # expect: TL420
    return layer
