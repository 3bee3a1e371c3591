"""One sample of which the layer is most certain, and wrong: in float32 its sigmoid is exactly 1."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1)
    nn.init.constant_(layer.weight, 60.0)
    nn.init.constant_(layer.bias, 0.0)
    optimizer = torch.optim.SGD(layer.parameters(), lr=10.0)
    losses = []
    for _ in range(steps):
        loss = nn.functional.binary_cross_entropy(layer(torch.ones(1, 1)).sigmoid(), torch.zeros(1, 1))  # expect: TL409
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
