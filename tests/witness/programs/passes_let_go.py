"""Backward passes that are recorded and let go: the gradients are detached before they are set to 0."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad(set_to_none=False)
        loss = layer(torch.ones(2, 4)).pow(2).mean()
        loss.backward(create_graph=True)
        optimizer.step()
    return layer
