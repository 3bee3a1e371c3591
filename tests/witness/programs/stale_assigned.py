"""A state that is put in the place of the parameters, not copied into them: the optimizer keeps the old ones."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1, bias=False)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.125)
    layer.load_state_dict({"weight": torch.zeros(1, 1)}, assign=True)  # expect: TL709
    for _ in range(steps):
        optimizer.zero_grad()
        loss = layer(torch.ones(1, 1)).mean()
        loss.backward()
        optimizer.step()
    return layer
