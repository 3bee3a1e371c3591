"""Backward passes that are recorded, and gradients that are set to 0 in place: every graph stays."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(steps):
        loss = layer(torch.ones(2, 4)).pow(2).mean()
        loss.backward(create_graph=True)  # expect: TL309
        optimizer.step()
        for parameter in layer.parameters():
            parameter.grad.zero_()
    return layer
