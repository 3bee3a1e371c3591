"""A schedule of 1, 1/2, 1/4: the first rate is never used."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    for _ in range(steps):
        scheduler.step()  # expect: TL703
        optimizer.zero_grad()
        loss = layer(torch.ones(1, 1)).mean()
        loss.backward()
        optimizer.step()
    return layer
