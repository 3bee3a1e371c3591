"""A loss that is made anew, so that nothing fails: no gradient reaches the layer."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.125)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = layer(torch.ones(1, 1)).mean()
        loss = torch.tensor(loss.item(), requires_grad=True)
        loss.backward()  # expect: TL708
        optimizer.step()
    return layer
