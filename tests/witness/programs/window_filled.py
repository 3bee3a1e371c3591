"""Windows of four batches, and one that is as long as what is left."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    batches = [torch.ones(1, 1)] * steps
    for index, batch in enumerate(batches):
        loss = layer(batch).mean() / 4
        loss.backward()
        if (index + 1) % 4 == 0 or index + 1 == len(batches):
            optimizer.step()
            optimizer.zero_grad()
    return layer
