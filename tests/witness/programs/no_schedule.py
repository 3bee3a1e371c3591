"""A rate that is to be halved after each step, and is not: nobody steps the scheduler."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)  # expect: TL710
    for _ in range(steps):
        optimizer.zero_grad()
        loss = layer(torch.ones(1, 1)).mean()
        loss.backward()
        optimizer.step()
    assert scheduler.get_last_lr() == [1.0]
    return layer
